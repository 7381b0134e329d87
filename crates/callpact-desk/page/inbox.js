// What waits for a person: the list, in pages, and the chosen call beside it.

import { EFFECT, api, button, effectIcon, effects, el, fill, icon, now, phone, rove, say, search, setClock, span } from "./dom.js";
import { openCall } from "./call.js";

let rows = [], more = false, counts = { live: 0, stored: 0 }, wanted = "", kind = null, loaded, failedWith;
let chosen, named, pane, items, total, split, filters, alone, last, told, drawing, loading, again, waits = () => {};
// What was heard while a page was on its way.
let ended = new Set(), came = new Map(), heard = {};
// The calls that somebody looked at, with what they typed.
const calls = new Map();

const order = (row) => [row.until ?? Infinity, row.since, row.id];
const compare = (one, other) => {
  const [a, b] = [order(one), order(other)];
  for (const place in a) if (a[place] !== b[place]) return a[place] < b[place] ? -1 : 1;
  return 0;
};
export const waiting = () => counts.live + counts.stored;
const hear = (told) => [heard, counts].forEach((one) => Object.assign(one, told));

export function start(box, counted) {
  waits = counted;
  items = el("div.scroll", { id: "waiting-list" });
  total = el("span.quiet.small.num", { role: "status" });
  last = el("p.last", { role: "status" });
  told = el("div");
  const find = search("Search waiting calls", (text) => { wanted = text; load(); });
  const only = effects((one) => { kind = one === "all" ? null : one; load(); });
  filters = el("div.tools-row", find.el, only.el);
  pane = el("section.detail", { "aria-label": "Call" });
  split = el("div.split", el("section.list", { "aria-label": "Waiting calls" }, el("div.head", el("h1", "Inbox"), el("span.spread"), total), filters, told, items), pane);
  const notify = button("Notify me in this browser", async () => {
    const answer = await Notification.requestPermission();
    notify.hidden = answer !== "default";
    say(answer === "granted" ? "You will be notified" : "This browser does not notify you");
  });
  notify.hidden = !("Notification" in window) || Notification.permission !== "default";
  alone = el("section.alone", { "aria-label": "Waiting calls" }, el("div.head", el("h1", "Inbox")), el("div.empty", icon("inbox"), el("h2", "Nothing waits for you"), el("p", "A call that needs a person appears here, and as a number in the title of this tab."), notify,
    el("p.small.quiet", "What ran until now is in the ", el("a", { href: "#trace" }, "trace"), ".")));
  fill(box, alone, split);
  setInterval(tick, 1000);
}

// The address may name a call.
export function show(id) {
  named = id || undefined;
  split.toggleAttribute("data-open", Boolean(named));
  if (named && named !== chosen) choose(named);
  else if (!named && phone.matches) choose(undefined);
  else if (!chosen) choose(rows[0]?.id);
  draw();
}

async function ask(after) {
  ended = new Set();
  came = new Map();
  heard = {};
  const page = await api("inbox", { search: wanted, permission: kind, after });
  setClock(page.now);
  counts = { live: page.live, stored: page.stored, ...heard };
  more = page.more;
  failedWith = page.error;
  return page.rows.filter((row) => !ended.has(row.id));
}

// Reads the first page anew.
export async function load() {
  if (loading) { again = true; return; }
  loading = true;
  try {
    rows = await ask();
    for (const row of came.values()) put(row);
    loaded = true;
    if (!chosen && !phone.matches) choose(named ?? rows[0]?.id);
    for (const call of calls.values()) call.check();
  } catch (error) {
    failedWith = error.status ? error.message : undefined;
  } finally {
    loading = false;
    draw();
    if (again) { again = false; load(); }
  }
}

const after = () => { const row = rows.at(-1); return row && { until: row.until, since: row.since, id: row.id }; };

export async function loadMore() {
  if (loading) return;
  loading = true;
  try {
    // The list changes while the page is on its way.
    const found = await ask(after());
    const known = new Set(rows.map((row) => row.id));
    rows = [...rows, ...found.filter((row) => !known.has(row.id))];
    if (!chosen && !phone.matches) choose(rows[0]?.id);
  } catch (error) {
    failedWith = error.message;
  }
  loading = false;
  draw();
}

const fits = (row) => (!kind || row.permission === kind) && `${row.tool} ${row.title ?? ""} ${row.summary} ${row.agent ?? ""} ${row.run ?? ""} ${row.program}`.toLowerCase().includes(wanted.toLowerCase());

function put(row) {
  rows = rows.filter((one) => one.id !== row.id);
  const place = rows.findIndex((one) => compare(row, one) < 0);
  // A row behind the last one that is loaded comes with its page.
  if (fits(row) && (place >= 0 || !more)) rows.splice(place >= 0 ? place : rows.length, 0, row);
}

// A call waits, or is another one now.
export function arrived({ row, ...told }) {
  hear(told);
  came.set(row.id, row);
  if (!rows.some((one) => one.id === row.id) && row.state === "waiting" && document.hidden && "Notification" in window && Notification.permission === "granted") new Notification(row.title ?? row.tool, { body: row.summary, tag: row.id });
  put(row);
  calls.get(row.id)?.check();
  if (!chosen && loaded && !phone.matches) choose(row.id);
  soon();
}

// A call does not wait any more.
export function settled({ id, by, what, ...told }) {
  hear(told);
  ended.add(id);
  came.delete(id);
  const row = rows.find((one) => one.id === id);
  if (row && id === chosen) row.done = what ?? "ended";
  else rows = rows.filter((one) => one.id !== id);
  calls.get(id)?.ended(by, what);
  if (more && rows.length < 25) loadMore();
  soon();
}

// Many events at once are drawn once. A tab behind others has no frames, and its title still counts.
function soon() {
  waits(waiting());
  drawing ??= setTimeout(() => { drawing = undefined; draw(); }, 16);
}

function when(row) {
  if (row.done) return row.done;
  if (row.state === "decided") return { running: "runs", broken_off: "broke off" }[row.doing] ?? "approved";
  if (row.state === "expired") return "expired";
  return row.until ? span((row.until - now()) / 1000) : "";
}

const soonOver = (row) => row.state === "waiting" && !row.done && row.until && row.until - now() < 60000;

function draw() {
  const count = waiting();
  waits(count);
  fill(total, `${count} waiting`);
  fill(told, failedWith && el("div.last", failedWith));
  const none = loaded && rows.length === 0 && !wanted && !kind && !failedWith && !chosen;
  alone.hidden = !none;
  split.hidden = none;
  const above = none ? alone.firstChild : filters;
  if (above.nextSibling !== last) above.after(last);
  filters.hidden = rows.length < 2 && !wanted && !kind;
  const focused = document.activeElement?.closest?.("#waiting-list .item")?.dataset.id;
  const grouped = new Map();
  for (const row of rows) {
    const name = row.run ? `${row.program} › ${row.run}` : row.program;
    if (!grouped.has(name)) grouped.set(name, []);
    grouped.get(name).push(row);
  }
  fill(items, [...grouped].map(([name, group]) => [el("h2.group", el("span.ell", name), el("span.count", String(group.length))), group.map(draw1)]),
    loaded && rows.length === 0 && (wanted || kind) && el("div.empty", el("p", "No waiting call matches.")),
    more && el("div.more", button("Show 50 more", loadMore, ".mini"), el("span.quiet.small.num", `${rows.length} of ${count}`)));
  rove(items);
  if (focused) items.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

function draw1(row) {
  const done = row.done || row.state !== "waiting";
  const stat = row.stat && row.summary.endsWith(`+${row.stat[0]} −${row.stat[1]}`);
  const one = el(`a.item${done ? ".done" : ""}`, { href: `#inbox/${encodeURIComponent(row.id)}`, "aria-current": row.id === chosen && "true" },
    effectIcon(row.permission), el("span.t.ell", row.title ?? (row.tool || "A question"), el("span.vh", `, ${EFFECT[row.permission][1]}`)),
    el(`span.when${soonOver(row) ? ".soon" : ""}`, when(row)),
    el("span.s.ell", stat ? [row.summary.slice(0, row.summary.lastIndexOf(" +")), " ", el("span.plus", `+${row.stat[0]}`), " ", el("span.minus", `−${row.stat[1]}`)] : row.summary));
  one.dataset.id = row.id;
  return one;
}

// The times that are left, each second, without drawing the list anew.
function tick() {
  if (items.offsetParent === null) return;
  for (const one of items.querySelectorAll(".item")) {
    const row = rows.find((row) => row.id === one.dataset.id);
    if (!row?.until || row.done) continue;
    if (row.state === "waiting" && row.until <= now()) row.state = "expired";
    const shown = one.querySelector(".when");
    const text = when(row);
    if (shown.textContent !== text) shown.textContent = text;
    shown.classList.toggle("soon", Boolean(soonOver(row)));
  }
  calls.get(chosen)?.tick();
}

function choose(id) {
  const before = chosen;
  chosen = id;
  // What nobody typed into is asked for again.
  if (before && before !== id && !calls.get(before)?.draft()) calls.delete(before);
  for (const one of items.querySelectorAll(".item")) one.ariaCurrent = one.dataset.id === id ? "true" : null;
  rows = rows.filter((row) => !row.done || row.id === id);
  if (!id) return fill(pane);
  let call = calls.get(id);
  if (!call) {
    call = openCall(id, { next, decided });
    calls.set(id, call);
  }
  fill(pane, call.el);
}

// A person may have left meanwhile.
const stay = (hash) => /^(#inbox|#waiting|$)/.test(location.hash) && history.replaceState(null, "", hash);

// The row after the chosen one, else the one before it.
function next() {
  const place = rows.findIndex((row) => row.id === chosen);
  const left = rows.filter((row) => row.id !== chosen && !row.done);
  const to = rows.slice(place + 1).find((row) => !row.done) ?? left.at(-1);
  const before = chosen;
  calls.delete(before);
  rows = rows.filter((row) => row.id !== before);
  chosen = undefined;
  if (phone.matches || !to) {
    stay("#inbox");
    named = undefined;
    split.removeAttribute("data-open");
    if (to && !phone.matches) choose(to.id); else fill(pane);
  } else {
    stay(`#inbox/${encodeURIComponent(to.id)}`);
    named = to.id;
    choose(to.id);
  }
  soon();
}

// Somebody decided here: says so, and shows the next call.
function decided(title, what, number) {
  const shown = el("span", `${title}: ${what}`);
  fill(last, shown);
  say(`${title}: ${what}`);
  if (number !== null && number !== undefined) {
    fill(last, shown, ", it runs. ", el("a", { href: "#trace" }, "Trace"));
    runs.set(number, (reply) => { fill(last, `${title}: ${what}, ${reply.outcome.replaceAll("_", " ")}. `, el("a", { href: "#trace" }, "Trace")); });
  }
  next();
}

const runs = new Map();
// A call that was decided about here has ended.
export async function tried({ number }) {
  const ended = runs.get(number);
  if (!ended) return;
  runs.delete(number);
  try { ended((await api("result", { number })).reply); } catch { /* somebody else's */ }
}

export function lost(live) {
  for (const call of calls.values()) call.lost(!live);
}

// `j` and `k`.
export const step = (by) => {
  const place = rows.findIndex((row) => row.id === chosen);
  const row = rows[Math.min(rows.length - 1, Math.max(0, place + by))];
  if (row) location.hash = `inbox/${encodeURIComponent(row.id)}`;
};
