// One tool is tried: its form, the run, and the result above the form.

import { api, badge, button, code, duration, el, failed, fill, isObject, many, note, parse, part, pretty, say, unsent, visible } from "./dom.js";
import { editor } from "./editor.js";

// What somebody has typed into or runs, by the name of its tool; and the calls that run, by number.
const pages = new Map();
const running = new Map();

// The page of a tool. What somebody typed stays while its tool does, and a call that runs stays to its end.
export function tryPage(tool, tree, now) {
  const old = pages.get(tool.name);
  if (old && (old.now === now || old.runs)) return old;
  return draw(tool, tree, now, old?.read());
}

// Fills in the arguments of a traced call.
export const fillIn = (name, text) => {
  pages.set(name, { read: () => text });
  location.hash = `try/${encodeURIComponent(name)}`;
  dispatchEvent(new Event("desk-again"));
};

function draw(tool, tree, now, first) {
  const key = `try ${tool.name}`;
  const status = el("span.small.quiet", { role: "status" });
  const page = { now, tool, result: el("div.stack", { "aria-live": "polite" }), foot: el("div"), status, key };
  const keep = () => pages.set(tool.name, page);
  const edited = editor({
    tool: tool.name, tree, first,
    fits: (faults, loud) => {
      page.faults = faults;
      page.foot.dataset.faults = faults;
      if (page.runs) return;
      status.className = loud && faults ? "small bad" : "small quiet";
      fill(status, loud && faults ? many(faults, "fault") : "");
    },
    touched: () => { keep(); unsent.add(key); },
  });
  page.read = edited.read;
  page.editor = edited;
  page.run = async () => {
    keep();
    await edited.complain();
    if (page.faults) return edited.lead();
    start(page);
  };
  const empty = button("Empty the form", () => {
    pages.delete(tool.name);
    unsent.delete(key);
    dispatchEvent(new Event("desk-again"));
  }, ".plain");
  const run = button("Run", page.run, `.solid${tool.permission === "destructive" ? ".destructive" : ""}`, "Ctrl ↵", "play");
  run.classList.add("run");
  page.bar = el("div.row.wrap", run, empty, status, el("span.spread"),
    button("Copy as curl", () => navigator.clipboard.writeText(curl(tool.name, edited.read())).then(() => say("Copied"), () => {}), ".plain"));
  fill(page.foot, page.bar);
  page.el = el("div.stack", page.result, edited.el);
  if (first !== undefined) keep();
  return page;
}

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;
// The call for an MCP server over HTTP, whose address the person puts in.
export const curl = (name, text) => {
  let args = {};
  try { args = parse(text); } catch { /* not JSON */ }
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
  return `curl -sS "$MCP_URL" -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' -d ${quote(body)}`;
};

async function start(page) {
  const [number] = crypto.getRandomValues(new Uint32Array(1));
  page.number = number;
  running.set(number, page);
  runs(page, true);
  try {
    take(page, await api("call", { number, tool: page.tool.name, arguments: page.read() }));
  } catch (error) {
    end(page, failed(error));
  }
}

function runs(page, state) {
  page.runs = state;
  page.bar.querySelector(".run").disabled = state;
  if (!state) return fill(page.status);
  page.status.className = "small quiet";
  fill(page.status, "running");
  page.progress = el("progress", { "aria-label": "Progress" });
  page.note = el("p.small.quiet.text");
  fill(page.result, part("Running", page.progress, page.note, el("p", button("Stop", () => api("stop", { number: page.number }).catch(() => {}), ".mini", null, "stop"))));
}

// What the desk says about a call: it runs, it asks, or it has ended.
function take(page, said) {
  if (said.state === "asks") return ask(page, said.asks);
  if (said.state === "done") end(page, showReply(said.reply), said.reply);
}

function end(page, shown, reply) {
  running.delete(page.number);
  runs(page, false);
  fill(page.foot, page.bar);
  fill(page.result, shown);
  if (reply) {
    // The trace has it now.
    unsent.delete(page.key);
    say(`The call ended: ${reply.outcome}`);
    page.result.closest(".scroll")?.scrollTo(0, 0);
  }
}

// The command, or the arguments, of a call that can destroy something.
const repeat = ({ preview, arguments: text }) => {
  const command = preview?.shape?.command?.command ?? (typeof preview === "string" ? preview : preview?.text);
  return command ?? pretty(text);
};

function ask(page, asks) {
  fill(page.result);
  fill(page.status);
  const yes = button("Run it", async () => {
    fill(page.foot, page.bar);
    runs(page, true);
    try {
      take(page, await api("confirm", { number: page.number, digest: asks.digest }));
    } catch (error) {
      end(page, failed(error));
    }
  }, ".solid.destructive.confirm");
  const no = button("Cancel", () => {
    api("stop", { number: page.number }).catch(() => {});
    running.delete(page.number);
    runs(page, false);
    fill(page.foot, page.bar);
    page.bar.querySelector(".run").focus();
  }, ".plain.cancel", "Esc");
  const title = asks.facts.title ?? page.tool.title ?? page.tool.name;
  fill(page.foot, note("risk", "destructive", `${visible(title)}: this can destroy data and cannot be undone.`, el("pre.mono.pre", { tabIndex: 0, role: "region", "aria-label": "What will run" }, repeat(asks)), el("div.row.wrap", yes, no)));
  yes.focus();
}

// A call that was started has ended.
export async function tried({ number }) {
  const page = running.get(number);
  if (!page) return;
  try { take(page, await api("result", { number })); } catch (error) { end(page, failed(error)); }
}

// What may have ended while the desk was not reached.
export const catchUp = () => { for (const number of running.keys()) tried({ number }); };

// A page that goes away takes its calls with it.
export const stopAll = (request) => {
  for (const number of running.keys()) {
    request("stop", { method: "POST", keepalive: true, headers: { "content-type": "application/json" }, body: JSON.stringify({ number }) }).catch(() => {});
  }
};

export function progress({ number, done, total, message }) {
  const page = running.get(number);
  if (!page?.runs) return;
  if (total) page.progress.value = Math.min(1, done / total);
  fill(page.note, `${done}${total ? ` of ${total}` : ""} ${message ?? ""}`);
}

// Says where the question is, if a call that runs may be the one that waits.
export function waits(count) {
  for (const page of running.values()) if (page.runs) fill(page.status, count > 0 ? ["running; ", el("a", { href: "#inbox" }, "a call waits in the inbox")] : "running");
}

export function showReply(reply) {
  const good = reply.ok;
  return part("Result",
    el("div.row.wrap", badge(reply.outcome.replaceAll("_", " "), good ? "good" : "bad", good ? "check" : "x"), reply.micros !== undefined && el("span.small.quiet.num", duration(reply.micros)),
      reply.halted && el("span.small.quiet", "a halt; the model does not see it")),
    code("What the model gets", reply.text || "(no output)"),
    reply.fixes?.length > 0 && el("dl.fields", reply.fixes.map((fix) => el("div", el("dt", "fixed"), el("dd.words", fix), el("dd")))),
    (reply.content ?? []).map((one) => (one.data
      ? el("img.pic", { alt: "A picture of the tool", src: `data:${one.mime};base64,${one.data}` })
      : code("More of the result", one.text))),
    isObject(reply.data) && code("Data", JSON.stringify(reply.data, null, 2)),
    el("p", el("a", { href: "#trace" }, "Open in Trace")));
}
