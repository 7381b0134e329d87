// The calls as they happen, by run and turn: how long each waited for a person, and how long it ran.

import { EFFECT, api, back, badge, button, capital, clock, code, copy, diff, duration, effect, effectIcon, el, failed, fill, fold, icon, many, part, pretty, search, segments, time } from "./dom.js";
import { curl, fillIn } from "./try.js";
import { toolNamed } from "./tools.js";

const FROM = { try: "Tried here", store: "From the store", program: "Without a run" };
let calls = new Map(), more = false, found = 0, total = 0, wanted = "", kind = "all", error;
let chosen = 0, split, body, pane, count, empty, timer, asked = 0;
const closed = new Set();

export function start(box) {
  const find = search("Search calls and replies", (text) => { wanted = text; load(); });
  const only = segments("Which calls", [["all", "All"], ["failed", "Failed"], ["waited", "Waited"], ["fixed", "Fixed"], ["running", "Running"]], "all", (one) => { kind = one; load(); });
  count = el("span.quiet.small.num", { role: "status" });
  body = el("tbody");
  empty = el("div");
  const cols = ["Run, turn, call", "Outcome", "Waited + ran", "Time"];
  const grid = el("table.tree", { role: "treegrid", "aria-label": "Runs, turns and calls", onkeydown: move },
    el("thead", el("tr", { role: "row" }, cols.map((text) => el("th", { scope: "col", role: "columnheader" }, text)))), body);
  pane = el("section.detail", { "aria-label": "Call" });
  split = el("div.split.trace", el("section.list", { "aria-label": "Calls" },
    el("div.head", el("h1", "Trace"), count, el("span.spread"), el("span.key", el("i.w"), "waits for a person"), el("span.key", el("i"), "runs")),
    el("div.tools-row", find.el, only.el), el("div.scroll", { id: "calls" }, grid, empty)), pane);
  fill(box, split);
}

export function show(n) {
  const number = n ? Number(n) : undefined;
  split.toggleAttribute("data-open", number !== undefined);
  if (number !== chosen) {
    chosen = number;
    if (number === undefined) fill(pane, back("trace", "Trace"), el("div.empty", el("p", "Choose a call to see its arguments, its reply and where its time went.")));
    else open(number);
  }
  draw();
}

export async function load() {
  const mine = ++asked;
  try {
    const page = await api("calls", { search: wanted, kind });
    if (mine !== asked) return;
    error = undefined;
    calls = new Map(page.calls.map((call) => [call.n, call]));
    ({ more, found, total } = page);
  } catch (failure) {
    if (mine !== asked) return;
    error = failure;
  }
  draw();
}

async function loadMore() {
  const page = await api("calls", { search: wanted, kind, before: Math.min(...calls.keys()) }).catch(() => undefined);
  if (!page) return;
  for (const call of page.calls) calls.set(call.n, call);
  more = page.more;
  draw();
}

// A call began, waits, or ended.
export function call(one) {
  if (one.n === chosen) open(one.n);
  // Only the desk knows what a search or a filter finds.
  if (wanted || kind !== "all") return soon(load, 300);
  if (!calls.has(one.n) && one.outcome === null) found = total = Math.min(10000, total + 1);
  calls.set(one.n, one);
  soon(draw, 60);
}

function soon(work, wait) {
  timer ??= setTimeout(() => { timer = undefined; work(); }, wait);
}

const micros = (call) => call.micros ?? Math.max(0, Date.now() - call.began) * 1000;
const waited = (call) => call.waiting ?? (call.waits ? Math.max(0, Date.now() - call.waits) * 1000 : 0);

function group() {
  const runs = new Map();
  for (const one of [...calls.values()].sort((a, b) => b.n - a.n)) {
    const name = one.run ?? FROM[one.from] ?? one.from;
    const key = `${one.run ? "run" : "from"} ${name}`;
    if (!runs.has(key)) runs.set(key, { key, name, calls: [], turns: new Map() });
    const run = runs.get(key);
    run.calls.push(one);
    const turn = one.turn ?? "";
    if (!run.turns.has(turn)) run.turns.set(turn, []);
    run.turns.get(turn).unshift(one);
  }
  return [...runs.values()];
}

function draw() {
  if (split.offsetParent === null) return;
  const focused = body.contains(document.activeElement) && document.activeElement.dataset.key;
  const rows = [];
  for (const run of group()) {
    const from = Math.min(...run.calls.map((one) => one.began));
    const to = Math.max(...run.calls.map((one) => one.began + micros(one) / 1000));
    const axis = { from, span: Math.max(1, to - from) };
    const open = !closed.has(run.key);
    const waits = run.calls.some((one) => one.waits);
    rows.push(line(0, run.key, [el("span.ell", run.name), el("span.quiet.small.num.phone-hide", clock(from))], waits ? el("span.warn", "waits") : el("span.quiet", many(run.calls.length, "call")), duration(Math.round((to - from) * 1000)), bar(axis, from, (to - from) * 1000, ["thin"]), open));
    if (!open) continue;
    for (const turn of [...run.turns.keys()].sort((a, b) => (a === "" ? 1 : b === "" ? -1 : a - b))) {
      const mine = run.turns.get(turn);
      const key = `${run.key} ${turn}`;
      const turnOpen = !closed.has(key);
      if (turn !== "") {
        const [first, last] = [Math.min(...mine.map((one) => one.began)), Math.max(...mine.map((one) => one.began + micros(one) / 1000))];
        rows.push(line(1, key, [`Turn ${turn}`, el("span.quiet.small.num", many(mine.length, "call"))], "", duration(Math.round((last - first) * 1000)), bar(axis, first, (last - first) * 1000, ["thin"]), turnOpen));
        if (!turnOpen) continue;
      }
      for (const one of mine) rows.push(callRow(one, axis));
    }
  }
  body.replaceChildren(...rows);
  const now = rows.find((row) => row.dataset.key === focused) ?? rows.find((row) => row.ariaSelected === "true") ?? rows[0];
  if (now) now.tabIndex = 0;
  if (focused) now?.focus({ preventScroll: true });
  fill(count, found === total ? many(total, "call") : `${found} of ${many(total, "call")}`);
  fill(empty, error && el("div.last", error.message),
    rows.length === 0 && !error && el("div.empty", el("p", total === 0 ? "No calls yet. Those of the program and those that you try appear here." : "No call matches.")),
    more && el("div.more", button("Show older calls", loadMore, ".mini")));
}

function bar(axis, from, length, ...parts) {
  const lane = el("span.lane");
  let at = from;
  const pieces = parts[0][0] === "thin" ? [["thin", length]] : parts[0];
  for (const [kind, micros] of pieces) {
    if (micros <= 0 && kind !== "thin") continue;
    const one = el(kind === "run" ? "i" : `i.${kind}`);
    one.style.left = `min(calc(100% - 2px), ${((at - axis.from) / axis.span) * 100}%)`;
    one.style.width = `${Math.min(100, (micros / 1000 / axis.span) * 100)}%`;
    lane.append(one);
    at += micros / 1000;
  }
  return lane;
}

const cells = (...all) => all.map((inner, at) => el(at === 2 ? "td.num" : "td", { role: "gridcell" }, inner));

function line(level, key, name, outcome, times, lane, open) {
  const row = el("tr", { role: "row", "aria-level": String(level + 1), "aria-expanded": String(open), tabIndex: -1, onclick: () => fold1(key) },
    cells(el(`div.name.n${level}`, icon("right"), name), outcome, times, lane));
  row.dataset.key = key;
  return row;
}

function fold1(key) {
  if (!closed.delete(key)) closed.add(key);
  draw();
}

// "8.5 s + 21 ms": what a call waited, and what it ran.
const both = (one) => {
  const [wait, run] = [waited(one), one.running ?? Math.max(0, micros(one) - waited(one))];
  return wait > 0 ? [el("span.warn", duration(wait)), (one.outcome === null ? run > 0 && !one.waits : run > 0) && ` + ${duration(run)}`] : duration(one.outcome === null ? micros(one) : run || one.micros);
};

const result = (one) => {
  if (one.waits) return el("span.warn", "waits");
  if (one.outcome === null) return el("span.quiet", "running");
  const name = one.outcome.replaceAll("_", " ");
  if (one.outcome === "pending") return el("span.warn", "waits in the store");
  return one.outcome === "success" ? el("span.quiet", one.fixes ? many(one.fixes, "fix").replace("fixs", "fixes") : name) : el("span.bad", name);
};

function callRow(one, axis) {
  const permission = toolNamed(one.tool)?.permission;
  const wait = waited(one);
  const lane = bar(axis, one.began, 0, [["w", wait], ["run", one.waits ? 0 : Math.max(0, micros(one) - wait)]]);
  const row = el("tr", { role: "row", "aria-level": "3", tabIndex: -1, "aria-selected": String(one.n === chosen), onclick: () => { location.hash = `trace/${one.n}`; } },
    cells(el("div.name.n2", permission ? effectIcon(permission) : icon("x"), el("b.ell", one.tool), permission && el("span.vh", EFFECT[permission][1])), result(one), both(one), lane));
  row.dataset.key = `call ${one.n}`;
  row.dataset.call = String(one.n);
  return row;
}

function move(event) {
  const rows = [...body.rows], row = event.target.closest("tr"), index = rows.indexOf(row);
  if (index < 0) return;
  const to = { ArrowDown: rows[index + 1], ArrowUp: rows[index - 1], Home: rows[0], End: rows.at(-1) }[event.key];
  const open = row.ariaExpanded;
  if (to) {
    for (const one of rows) one.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  } else if (event.key === "Enter" || (event.key === "ArrowRight" && open === "false") || (event.key === "ArrowLeft" && open === "true")) row.click();
  else return;
  event.preventDefault();
}

// `j` and `k`.
export function step(by) {
  const rows = [...body.querySelectorAll("[data-call]")];
  const place = rows.findIndex((row) => Number(row.dataset.call) === chosen);
  rows[Math.min(rows.length - 1, Math.max(0, place + by))]?.click();
}

async function open(n) {
  let one;
  try {
    one = await api("trace", { number: n });
  } catch (failure) {
    return fill(pane, back("trace", "Trace"), failed(failure));
  }
  if (n !== chosen) return;
  const tool = toolNamed(one.tool);
  const [wait, run] = [waited(one), one.running ?? 0];
  const all = Math.max(1, wait + run);
  const lane = bar({ from: 0, span: all / 1000 }, 0, 0, [["w", wait], ["run", run]]);
  const key = (kind, words) => el("span.key", el(kind ? `i.${kind}` : "i"), words);
  const { decision } = one;
  fill(pane, back("trace", "Trace"), el("div.scroll", el("div.body.stack",
    el("div.part", el("div.row.wrap", el("h2", tool?.title ?? one.tool), tool && effect(tool.permission), tool?.title && el("code.quiet", one.tool)),
      el("p.small.quiet.text", [one.run && `${one.run}${one.turn === null ? "" : ` › Turn ${one.turn}`}`, one.role && `agent ${one.role}`, !one.run && (FROM[one.from] ?? one.from), one.call_id && `call ${one.call_id}`, time(one.began)].filter(Boolean).join(", ")),
      el("div.row.wrap", one.outcome ? badge(one.outcome.replaceAll("_", " "), one.outcome === "success" ? "good" : one.outcome === "pending" ? "warn" : "bad", one.outcome === "success" ? "check" : one.outcome === "pending" ? "clock" : "x") : badge(one.waits ? "waits" : "running", one.waits ? "warn" : "", "clock"), decision?.edit && badge("edited", "edited"))),
    part("Where the time went", el("div.steps", lane, one.reading !== null && [el("span", "Read and checked"), el("span.num", duration(one.reading))],
      wait > 0 && [key("w", `Waited for ${decision?.by ?? "a person"}`), el("span.num", duration(wait))], one.running !== null && [key("", "Ran"), el("span.num", duration(run))])),
    one.inbox && el("p", el("a", { href: `#inbox/${encodeURIComponent(one.inbox)}` }, "Decide in the inbox")),
    decision && part("Approval", el("p.text", `${capital(decision.what)}${decision.by ? ` by ${decision.by}` : ""} at ${clock(decision.at)}.`), decision.reason && el("p.text.quiet", `“${decision.reason}”`), decision.edit?.lines.length > 0 && diff(decision.edit), fold("Digest", el("code.text", decision.digest))),
    part("Arguments", code("As the model wrote them", pretty(one.arguments))),
    one.fix_texts?.length > 0 && part("Fixes", el("ul.small", one.fix_texts.map((fix) => el("li.text", fix)))),
    one.text !== null && part(one.halted ? "Why it halted" : "What the model got", code(one.halted ? "Halt" : "Reply", one.text)),
    one.test && fold("As a test", code("Test", one.test)),
    el("div.row.wrap", tool && button("Try it again", () => fillIn(one.tool, one.arguments), ".mini"), one.test && copy("Copy as test", one.test), copy("Copy as curl", curl(one.tool, one.arguments))))));
  pane.ariaLabel = `Traced call of ${tool?.title ?? one.tool}`;
}
