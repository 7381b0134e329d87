// The calls as they happen. Only the rows in view are in the page.

import { api, code, copyButton, duration, el, fill, time, visible } from "./dom.js";

const ROW = 30;
let calls = new Map();
let shown = [];
let list, pane, items, search, only, count, chosen, drawing, follow = true;

export function start(section) {
  search = el("input", { type: "search", placeholder: "Filter by tool, role, outcome", "aria-label": "Filter calls", oninput: refresh });
  only = el("select", { "aria-label": "Which calls", onchange: refresh }, el("option", { value: "" }, "all"), el("option", { value: "failed" }, "failed"), el("option", { value: "running" }, "running"), el("option", { value: "fixed" }, "with fixes"));
  count = el("span", { className: "quiet", role: "status" });
  items = el("ul");
  list = el("div", { id: "calls", tabIndex: 0, role: "region", "aria-label": "Calls", onscroll: () => { follow = list.scrollTop + list.clientHeight >= list.scrollHeight - ROW; draw(); } }, el("div"), items);
  pane = el("article", { "aria-live": "polite" });
  fill(section, el("h2", {}, "Calls"), el("div", { className: "row" }, search, only, count), list, pane);
  addEventListener("resize", draw);
}

export function show() { refresh(); }

export async function load() {
  const all = await api("calls");
  calls = new Map(all.map((call) => [call.n, call]));
  refresh();
}

export function call(one) {
  calls.set(one.n, one);
  if (calls.size > 10000) calls.delete(calls.keys().next().value);
  // Many calls in one frame are drawn once.
  drawing ??= requestAnimationFrame(() => { drawing = undefined; refresh(); });
}

function refresh() {
  const wanted = search.value.toLowerCase();
  const kinds = { "": () => true, failed: (call) => call.outcome && call.outcome !== "success", running: (call) => !call.outcome, fixed: (call) => call.fixes > 0 };
  const kind = kinds[only.value];
  shown = [];
  for (const call of calls.values()) {
    if (kind(call) && (wanted === "" || `${call.tool} ${call.role ?? ""} ${call.from} ${call.outcome ?? "running"}`.toLowerCase().includes(wanted))) shown.push(call);
  }
  count.textContent = shown.length === calls.size ? `${calls.size} calls` : `${shown.length} of ${calls.size} calls`;
  list.firstChild.style.height = `${shown.length * ROW}px`;
  if (follow) list.scrollTop = list.scrollHeight;
  draw();
}

function draw() {
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 4);
  const rows = shown.slice(first, first + Math.ceil(list.clientHeight / ROW) + 8);
  const now = Date.now();
  const end = (call) => call.began + (call.micros === null ? Math.max(0, now - call.began) : call.micros / 1000);
  const from = Math.min(...rows.map((call) => call.began));
  const span = Math.max(1, Math.max(...rows.map(end)) - from);
  const focused = document.activeElement?.dataset?.call;
  items.style.top = `${first * ROW}px`;
  fill(items, rows.map((call, at) => {
    const bar = el("span", { className: "bar" });
    bar.style.left = `${Math.min(99, ((call.began - from) / span) * 100)}%`;
    bar.style.width = `${Math.min(100, ((end(call) - call.began) / span) * 100)}%`;
    const good = call.outcome === "success";
    const button = el("button", { type: "button", "aria-current": call.n === chosen ? "true" : undefined, onclick: () => open(call.n) },
      el("span", { className: "time quiet" }, time(call.began)), el("span", {}, call.tool),
      el("span", { className: call.outcome ? (good ? "good" : "bad") : "quiet" }, `${call.outcome ?? "running"}${call.fixes ? `, ${call.fixes} fixed` : ""}`),
      el("span", {}, call.micros === null ? "" : duration(call.micros)), el("span", { className: "lane", "aria-hidden": "true" }, bar));
    button.dataset.call = String(call.n);
    return el("li", { "aria-setsize": String(shown.length), "aria-posinset": String(first + at + 1) }, button);
  }));
  if (focused) items.querySelector(`[data-call="${focused}"]`)?.focus({ preventScroll: true });
}

async function open(n) {
  chosen = n;
  draw();
  let full;
  try {
    full = await api("trace", { number: n });
  } catch (error) {
    return fill(pane, el("p", { className: "fault" }, error.message));
  }
  let args = full.arguments;
  try { args = JSON.stringify(JSON.parse(args), null, 2); } catch { /* shown as it was written */ }
  fill(pane,
    el("h3", {}, full.tool),
    el("p", { className: "text" }, `${full.outcome ?? "running"}, from ${full.from}${full.role ? `, role ${full.role}` : ""}, id ${visible(full.call_id)}, ${time(full.began)}${full.micros === null ? "" : `, ${duration(full.micros)}`}`),
    el("h3", {}, "Arguments"), code(args, "Arguments"),
    full.fix_texts?.length ? [el("h3", {}, "Changes"), el("ul", {}, full.fix_texts.map((fix) => el("li", { className: "text" }, fix)))] : "",
    full.text !== null && [el("h3", {}, full.halted ? "Halt" : "What the model got"), code(full.text, "What the model got")],
    full.test && [el("h3", {}, "As a test"), code(full.test, "As a test"), copyButton("Copy as a test", () => full.test)]);
}
