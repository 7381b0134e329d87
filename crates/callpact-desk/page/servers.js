// The servers of MCP that the program is connected to: their messages, and how to connect to one more.

import { api, back, button, clock, code, duration, el, fill, icon, note, part, phone, rove, say, search, segments } from "./dom.js";
import { form } from "./form.js";

let servers = [], allowed = false, list, pane, split, named, chosen, draft;
let log = [], logPane, logSplit, rows, picked, wanted = "", only = "all", paused = false, from = "all", where, drawing;

// ---- Connect

export function startConnect(box) {
  list = el("div.scroll");
  pane = el("section.detail", { "aria-label": "Server" });
  split = el("div.split", el("section.list", { "aria-label": "Servers" }, el("div.head", el("h1", "Connect"), el("span.spread"), el("a.button.mini.new-server", { href: "#connect/+" }, icon("plus"), "Server")), list), pane);
  fill(box, split);
}

// A person may have left meanwhile.
const go = (hash) => { if (location.hash.startsWith("#connect")) location.hash = hash; };

export async function load() {
  try {
    ({ servers, allowed } = await api("servers", {}));
  } catch { return; }
  showConnect(named);
}

function drawList() {
  split.querySelector(".new-server").hidden = !allowed;
  fill(list, servers.map((one) => {
    const failed = one.state === "failed";
    return el("a.item", { href: `#connect/${encodeURIComponent(one.name)}`, "aria-current": one.name === chosen && "true" }, el(`span.dot${failed ? ".failed" : ""}`), el("span.t.ell", one.name), el(`span.when${failed ? ".soon" : ""}`, one.state), el("span.s.ell", one.how));
  }), servers.length === 0 && el("div.empty", el("p", "The program is connected to no server of MCP.")));
  rove(list);
}

const OBJECT = (fields) => ({ kind: "object", fields });
const field = (name, schema, required) => ({ name, required, schema });
const TEXT = (description, more) => ({ kind: "text", words: "text", description, ...more });
const SHAPES = {
  command: OBJECT([
    field("command", TEXT("Program that speaks MCP on its standard input and output", { words: "text, at least 1 character" }), true),
    field("arguments", { kind: "list", words: "list", description: "One in each row, as the program gets them", items: TEXT() }),
    field("environment", { kind: "map", words: "map", description: "The server gets PATH and HOME, and the variables that you add here", values: TEXT("", { secret: true }) }),
    field("folder", TEXT("Working folder"))]),
  url: OBJECT([
    field("url", TEXT("Address of the server", { words: "an http or https URL" }), true),
    field("headers", { kind: "map", words: "map", description: "Sent with every request", values: TEXT("", { secret: true }) })]),
};

export function showConnect(name) {
  named = name;
  split.toggleAttribute("data-open", Boolean(name));
  chosen = name || (phone.matches ? undefined : servers[0]?.name);
  drawList();
  const server = servers.find((one) => one.name === chosen);
  if (chosen === "+" && allowed) {
    // What somebody typed stays.
    draft ??= drawNew();
    return draft[0].isConnected || fill(pane, draft);
  }
  fill(pane, back("connect", "Connect"), server ? drawServer(server) : el("div.empty", icon("connect"), el("p", allowed ? "Choose a server, or connect to one more." : "This program does not let people connect to servers.")));
}

function drawServer(one) {
  const state = one.state === "failed"
    ? note("risk", "destructive", "The server cannot be used.", el("p.text", one.error), one.last_words && [el("p", "Its last words:"), el("pre.mono.pre", { tabIndex: 0, role: "region", "aria-label": "Last words of the server" }, one.last_words)], one.rule && el("p.text", one.rule))
    : note("fine", "check", "Connected.", el("p", `${one.tools} tools${one.protocol ? `, protocol ${one.protocol}` : ""}. `, el("a", { href: "#protocol" }, "Messages"), " · ", el("a", { href: "#try" }, "Tools")));
  const remove = allowed && one.removable && button("Disconnect", async () => {
    try { await api("disconnect", { name: one.name }); await load(); go("connect"); } catch (error) { say(error.message); }
  }, ".risk");
  return [el("div.scroll", el("div.body.stack", el("div.title", el("div", el("h2", one.name), el("p.text", el("code", one.how)))), state,
    part("Trust", el("p", one.trusted ? "The program trusts what this server says about its tools." : "Every tool of this server counts as one that can destroy, and asks before it runs.")))),
  remove && el("div.actions", el("div.row.wrap", remove))];
}

function drawNew() {
  let kind = "command", fields;
  const holder = el("div");
  const told = el("div", { role: "status" });
  const name = el("input", { id: "server-name", autocomplete: "off" });
  const trust = el("input", { type: "checkbox", id: "trust" });
  const build = (which) => { kind = which; fields = form(SHAPES[which], undefined, () => {}); fill(holder, fields.el); };
  build(kind);
  const send = button("Connect", async () => {
    send.disabled = true;
    fill(told, el("p.quiet", "Connecting…"));
    try {
      await api("connect", { name: name.value.trim(), kind, settings: JSON.parse(fields.read()), trusted: trust.checked });
      draft = undefined;
      await load();
      go(`connect/${encodeURIComponent(name.value.trim())}`);
    } catch (error) {
      fill(told, note("risk", "destructive", "The server was not connected.", el("p.text", error.message)));
      told.scrollIntoView();
    } finally {
      send.disabled = false;
    }
  }, ".solid", "Ctrl ↵", "connect");
  return [back("connect", "Connect"), el("div.scroll", el("div.body.stack",
    el("div.title", el("div", el("h2", "Connect to a server"), el("p", "Its tools appear under Tools as soon as it answers. The settings stay in this process."))), told,
    el("section.part.plain-names", { "aria-label": "Settings" }, el("div.part-head", el("h3", "Settings"), el("span.spread"), segments("Kind of server", [["command", "Command"], ["url", "URL"]], kind, build).el),
      el("div.field", el("div.label", el("label", { htmlFor: "server-name" }, "name")), name), holder),
    part("Trust", el("div.check", trust, el("label", { htmlFor: "trust" }, "Trust what this server says about its tools")), el("p.small.quiet", "If off, every tool of this server counts as one that can destroy, and asks before it runs.")))),
  el("div.actions", el("div.row.wrap", send))];
}

// ---- Protocol

export function startProtocol(box) {
  rows = el("div.scroll", { id: "messages" });
  logPane = el("section.detail", { "aria-label": "Message" });
  const find = search("Search messages", (text) => { wanted = text.toLowerCase(); drawLog(); });
  const kind = segments("Messages", [["all", "All"], ["tools/call", "Calls"], ["error", "Errors"]], "all", (one) => { only = one; drawLog(); });
  where = el("select", { "aria-label": "Server", onchange: () => { from = where.value; drawLog(); } });
  const pause = button("Pause", () => { paused = !paused; pause.firstChild.textContent = paused ? "Go on" : "Pause"; if (!paused) loadLog(); }, ".mini");
  logSplit = el("div.split.log", el("section.list", { "aria-label": "Messages" }, el("div.head", el("h1", "Protocol"), el("span.quiet.small.phone-hide", "Every message of MCP, secrets masked"), el("span.spread"), pause),
    el("div.tools-row", find.el, where, kind.el), rows), logPane);
  fill(box, logSplit);
}

export async function loadLog() {
  try { log = (await api("messages", {})).messages; } catch { return; }
  drawLog();
}

export function message(one) {
  if (paused) return;
  log.push(one);
  if (log.length > 2000) log.shift();
  // Many messages at once are drawn once.
  drawing ??= setTimeout(() => { drawing = undefined; drawLog(); }, 50);
}

const bytes = (count) => (count > 1999 ? `${(count / 1000).toFixed(1)} kB` : `${count} B`);
// The other half of a request or an answer.
const twin = (one) => one && one.id !== null && log.find((other) => other !== one && other.id === one.id && other.server === one.server && other.request === one.request && other.answer !== one.answer);

function drawLog() {
  if (logSplit.offsetParent === null) return;
  const names = [...new Set(log.map((one) => one.server))];
  fill(where, el("option", { value: "all" }, "All servers"), names.map((name) => el("option", { value: name }, name)));
  where.value = from;
  where.hidden = names.length < 2;
  const focused = document.activeElement?.closest?.("#messages a")?.dataset.n;
  const one = log.find((one) => one.n === picked), other = twin(one);
  const hits = log.filter((one) => (from === "all" || one.server === from) && (only === "all" || (only === "error" ? one.error : one.method === only)) && `${one.method ?? ""} ${one.body}`.toLowerCase().includes(wanted)).slice(-300);
  fill(rows, hits.length > 0 && el("div.msg.cols", { "aria-hidden": "true" }, ["Time", "", "Method", "Server", "Size", "Took"].map((text, at) => el(at > 3 ? "span.r" : "span", text))),
    hits.map((one) => {
      const row = el(`a.msg${one === other ? ".twin" : ""}`, { href: `#protocol/${one.n}`, "aria-current": one.n === picked && "true" }, el("span.quiet.small", clock(one.at)),
        el(`span.way.${one.way}`, icon(one.way), el("span.vh", one.way === "out" ? "to" : "from")),
        el("span.row", el("code", one.method ?? "answer"), one.id !== null && el("span.quiet.small.num", `#${one.id}`), one.error && el("span.bad.small", "error"), one === other && el("span.small.quiet.phone-hide", one.answer ? "its answer" : "its request")),
        el("span.small.ell", one.server), el("span.r", bytes(one.size)), el("span.r", one.took === null ? "" : duration(one.took)));
      row.dataset.n = String(one.n);
      return row;
    }),
    hits.length === 0 && el("div.empty", icon("protocol"), el("p", log.length ? "No message matches." : "No messages yet. Those between this program and its MCP servers appear here.")));
  rove(rows);
  if (focused) rows.querySelector(`[data-n="${focused}"]`)?.focus({ preventScroll: true });
}

export function showProtocol(n) {
  picked = n ? Number(n) : undefined;
  logSplit.toggleAttribute("data-open", picked !== undefined);
  const one = log.find((one) => one.n === picked), other = twin(one);
  let text = one?.body ?? "";
  try { text = JSON.stringify(JSON.parse(text), null, 2); } catch { /* cut */ }
  fill(logPane, back("protocol", "Protocol"), one ? el("div.scroll", el("div.body.stack",
    el("div.part", el("h2", el("code", one.method ?? "answer")), el("p.small.quiet.num", `${one.way === "out" ? "To" : "From"} ${one.server} at ${clock(one.at)}, ${one.size} bytes${one.took === null ? "" : `, answer after ${duration(one.took)}`}`)),
    code("JSON-RPC", text), other && el("p", el("a.button.mini", { href: `#protocol/${other.n}` }, one.answer ? "Request" : "Answer"))))
    : el("div.empty", el("p", "Choose a message to see it whole.")));
  drawLog();
}

export const stepLog = (by) => {
  const all = [...rows.querySelectorAll("a.msg")];
  const place = all.findIndex((one) => one.ariaCurrent);
  all[Math.min(all.length - 1, Math.max(0, place + by))]?.click();
};
