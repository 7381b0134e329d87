// One tool is tried: a form or JSON, every fault while typing, and the result.

import { api, code, duration, el, fill, visible } from "./dom.js";
import { form, parse } from "./form.js";
import { chooser, find, permissionTag } from "./tools.js";

let list, chosen, drawn, box, pane, choice, running;

export function start(section) {
  box = el("div");
  pane = el("article");
  fill(section, el("div", { className: "two" }, box, pane));
  choice = chooser(box, "try");
}

export function replace(tools) {
  list = tools;
  choice.replace(list);
}

// What a person fills in: a form, and the same as JSON. `fits` is told whether the desk can read it.
export function editor(tool, tree, first, fits) {
  const holder = el("div");
  const text = el("textarea", { className: "code", spellcheck: false, "aria-label": "Arguments as JSON", hidden: true });
  const told = el("p", { className: "fault", role: "status" });
  const fixes = el("p", { className: "quiet text" });
  const toggle = el("button", { type: "button" }, "As JSON");
  let fields, timer, latest = 0, asText = false;
  const read = () => (asText ? text.value : fields.read());
  const check = async () => {
    const mine = ++latest;
    let reply;
    try {
      reply = await api("check", { tool, arguments: read() });
    } catch (error) {
      if (mine === latest) told.textContent = visible(error.message);
      return;
    }
    if (mine !== latest) return;
    const faults = reply.faults?.faults ?? [];
    if (asText || (!reply.ok && faults.length === 0)) told.textContent = reply.ok ? "" : visible(reply.text);
    else told.textContent = "";
    if (!asText) fields.show(faults);
    fixes.textContent = reply.fixes.length ? `Read with changes:\n${reply.fixes.map(visible).join("\n")}` : "";
    fits(reply.ok);
  };
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(check, 80);
  };
  const build = (value) => {
    fields = form(tree, value, changed);
    fill(holder, fields.el);
  };
  text.oninput = changed;
  const setText = (value) => { asText = true; text.value = value; text.hidden = false; holder.hidden = true; toggle.textContent = "As a form"; };
  toggle.onclick = () => {
    if (!asText) {
      setText(JSON.stringify(parse(fields.read()), null, 2));
    } else {
      let value;
      try {
        value = parse(text.value);
      } catch {
        told.textContent = "This is not JSON yet, so no form can show it.";
        return;
      }
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        told.textContent = "The arguments of a tool are an object.";
        return;
      }
      asText = false;
      build(value);
      text.hidden = true;
      holder.hidden = false;
      toggle.textContent = "As JSON";
    }
    changed();
  };
  let value;
  try { value = first === undefined ? undefined : parse(first); } catch { /* shown as text */ }
  build(typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined);
  if (first !== undefined && (typeof value !== "object" || value === null || Array.isArray(value))) setText(first);
  changed();
  return { el: el("div", {}, el("div", { className: "row" }, toggle), holder, text, told, fixes), read };
}

export async function show(name) {
  const [tool, now] = find(list, name || chosen);
  // A filled form stays while its tool does.
  if (now === drawn || (running && tool?.name === chosen)) return;
  drawn = now;
  if (tool) chosen = tool.name;
  choice.mark(chosen);
  if (!tool) return fill(pane, el("p", {}, now));
  const full = await api("tool", { tool: tool.name });
  if (drawn !== now) return;
  const state = el("span", { role: "status" });
  const edited = editor(tool.name, full.tree, undefined, (ok) => { if (!running) state.textContent = ok ? "fits" : "does not fit yet"; });
  const result = el("div", { "aria-live": "polite" });
  const run = el("button", { type: "button", className: "main", onclick: () => call(tool.name, edited.read(), { run, stop, state, result }) }, "Run");
  const stop = el("button", { type: "button", disabled: true }, "Stop");
  fill(pane, el("h2", {}, tool.name), el("p", {}, permissionTag(tool.permission)), el("p", { className: "text" }, tool.description),
    edited.el, el("div", { className: "row" }, run, stop, state), result);
}

async function call(tool, args, { run, stop, state, result }) {
  const number = crypto.getRandomValues(new Uint32Array(1))[0];
  const bar = el("progress", { max: 1, "aria-label": "Progress" });
  const note = el("span", { className: "text" });
  running = { number, bar, note, state };
  run.disabled = true;
  stop.disabled = false;
  stop.onclick = () => api("stop", { number }).catch(() => {});
  state.textContent = "running";
  fill(result, el("div", { className: "row" }, bar, note));
  try {
    showReply(result, await api("call", { number, tool, arguments: args }));
    state.textContent = "done";
  } catch (error) {
    fill(result, el("p", { className: "fault" }, error.message));
    state.textContent = "failed";
  } finally {
    running = undefined;
    run.disabled = false;
    stop.disabled = true;
  }
}

// Says where the question is, if the call that runs may be the one that waits.
export function waits(count) {
  if (running) running.state.textContent = count > 0 ? "running; a call waits for a decision under Waiting" : "running";
}

export function progress({ number, done, total, message }) {
  if (running?.number !== number) return;
  if (total) running.bar.value = Math.min(1, done / total);
  running.note.textContent = visible(`${done}${total ? ` of ${total}` : ""} ${message ?? ""}`);
}

export function showReply(box, reply) {
  fill(box,
    el("h3", {}, "Result"),
    el("p", {}, el("span", { className: `tag ${reply.ok ? "good" : "bad"}` }, reply.outcome), reply.micros !== undefined && duration(reply.micros),
      reply.halted && " (a halt; the model does not see it)"),
    reply.fixes?.length ? el("p", { className: "quiet text" }, `Read with changes:\n${reply.fixes.join("\n")}`) : "",
    code(reply.text || "(no output)", "What the model gets"),
    (reply.content ?? []).map((part) => (part.data
      ? el("img", { className: "picture", alt: "A picture that the tool gave back", src: `data:${part.mime};base64,${part.data}` })
      : code(part.text, "More of the result"))),
    reply.data !== null && reply.data !== undefined && [el("h3", {}, "Data"), code(JSON.stringify(reply.data, null, 2), "Data")]);
}
