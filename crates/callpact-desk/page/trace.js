// The calls as they happen. Only the rows in view are in the page.

import { api, button, clock, code, duration, el, failed, fill, outOf, pretty, time } from "./dom.js";

const ROW = 30;
const KINDS = { all: () => true, failed: (call) => call.outcome && call.outcome !== "success", running: (call) => !call.outcome, "with fixes": (call) => call.fixes > 0 };
let calls = new Map();
let shown = [];
let list, pane, items, search, only, count, empty, chosen, drawing, follow = true;

export function start(section) {
  search = el("input", { type: "search", placeholder: "Filter", "aria-label": "Filter by tool, role, outcome", oninput: refresh });
  only = el("select", { "aria-label": "Which calls", onchange: refresh }, Object.keys(KINDS).map((name) => el("option", name)));
  count = el("span.quiet", { role: "status" });
  items = el("ul");
  list = el("div", { id: "calls", tabIndex: 0, role: "region", "aria-label": "Calls", onscroll: () => { follow = list.scrollTop + list.clientHeight >= list.scrollHeight - ROW; draw(); } }, el("div"), items);
  empty = el("div.empty", el("p", "No calls yet."), el("p", "Those of the program and those that you try appear here."));
  pane = el("article", { "aria-live": "polite" });
  fill(section, el("h2", "Calls"), el("div.row", search, only, count), empty, list, pane);
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
  shown = [...calls.values()].filter((call) => KINDS[only.value](call)
    && (!wanted || `${call.tool} ${call.role ?? ""} ${call.from} ${call.outcome ?? "running"}`.toLowerCase().includes(wanted)));
  count.textContent = outOf(shown.length, calls.size, "call");
  empty.hidden = calls.size > 0;
  list.hidden = calls.size === 0;
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
    const bar = el("span.bar");
    bar.style.left = `${Math.min(99, ((call.began - from) / span) * 100)}%`;
    bar.style.width = `${Math.min(100, ((end(call) - call.began) / span) * 100)}%`;
    const good = call.outcome === "success";
    const one = button([
      el("span.time quiet", { title: time(call.began) }, clock(call.began)), el("span", call.tool),
      el("span", { className: call.outcome ? (good ? "good" : "bad") : "quiet" }, `${call.outcome ?? "running"}${call.fixes ? `, ${call.fixes} fixed` : ""}`),
      el("span", call.micros === null ? "" : duration(call.micros)), el("span.lane", { "aria-hidden": "true" }, bar)], () => open(call.n));
    if (call.n === chosen) one.ariaCurrent = "true";
    one.dataset.call = String(call.n);
    return el("li", { "aria-setsize": String(shown.length), "aria-posinset": String(first + at + 1) }, one);
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
    return fill(pane, failed(error));
  }
  fill(pane, el("div.card",
    el("h2", full.tool),
    el("p.text", `${full.outcome ?? "running"}, from ${full.from}${full.role ? `, role ${full.role}` : ""}, id ${full.call_id}, ${time(full.began)}${full.micros === null ? "" : `, ${duration(full.micros)}`}`),
    el("h3", "Arguments"), code(pretty(full.arguments), "Arguments"),
    full.fix_texts?.length ? [el("h3", "Changes"), el("ul", full.fix_texts.map((fix) => el("li.text", fix)))] : "",
    full.text !== null && [el("h3", full.halted ? "Halt" : "What the model got"), code(full.text, "What the model got")],
    full.test && [el("h3", "As a test"), code(full.test, "As a test"), button("Copy as a test", async ({ target }) => {
      fill(target, await navigator.clipboard.writeText(full.test).then(() => "Copied", () => "Select and copy it"));
    })]));
}
