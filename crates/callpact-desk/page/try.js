// One tool is tried: a form or JSON, every fault while typing, and the result.

import { api, button, code, duration, el, failed, fill, pretty, typed, unsent } from "./dom.js";
import { form, parseArguments } from "./form.js";
import { browse, permissionTag } from "./tools.js";

// The calls that run, by number.
const running = new Map();
// What somebody has typed into or runs, by the name of its tool.
const pages = new Map();

const readWith = ({ fixes }) => fixes?.length > 0 && `Read with changes:\n${fixes.join("\n")}`;

// What a person fills in: a form, and the same as JSON. `fits` is told whether the desk can read it,
// and `touched` when somebody changed it.
export function editor(tool, tree, first, fits, touched) {
  const holder = el("div");
  const told = el("p.fault text", { role: "status" });
  const fixes = el("p.quiet text");
  const toggle = button("As JSON", () => toggled());
  let fields, timer, latest = 0, asText = false;
  const read = () => (asText ? text.input.value : fields.read());
  const check = async () => {
    clearTimeout(timer);
    const mine = ++latest;
    let reply;
    try {
      reply = await api("check", { tool, arguments: read() });
    } catch (error) {
      if (mine !== latest) return;
      fill(told, error.message);
      if (!error.status) changed(2000);
      return;
    }
    if (mine !== latest) return;
    const faults = reply.faults?.faults ?? [];
    const gaps = asText ? [] : fields.gaps().filter(({ place }) => !faults.some((one) => one.place === place));
    fill(told, !reply.ok && (asText || faults.length === 0) && reply.text);
    if (!asText) fields.show([...faults, ...gaps]);
    fill(fixes, readWith(reply));
    fits(reply.ok && gaps.length === 0);
  };
  const changed = (wait = 80) => {
    clearTimeout(timer);
    timer = setTimeout(check, wait);
  };
  const text = typed("textarea", { className: "code", "aria-label": "Arguments as JSON", oninput: () => { touched(); changed(); } });
  const build = (value) => {
    fields = form(tree, value, () => { touched(); changed(); });
    fill(holder, fields.el);
  };
  const show = (json) => {
    asText = json;
    text.el.hidden = !json;
    holder.hidden = json;
    toggle.textContent = json ? "As a form" : "As JSON";
  };
  const setText = (value) => {
    text.input.value = value;
    text.look();
    show(true);
  };
  const toggled = async () => {
    if (!asText) {
      setText(pretty(fields.read()));
    } else {
      try {
        build(parseArguments(text.input.value));
        show(false);
      } catch (error) {
        // The reader says more, where it has something to say.
        await check();
        told.textContent = `${error.message}\n${told.textContent}`;
        return;
      }
    }
    changed();
  };
  show(false);
  try {
    build(first === undefined ? undefined : parseArguments(first));
  } catch {
    build();
    setText(first);
  }
  changed();
  return { el: el("div", el("div.row", toggle), holder, text.el, told, fixes), read };
}

const { show, start, replace, again } = browse("try", draw, (name, now) => {
  const old = pages.get(name);
  // A form that somebody filled in stays while its tool does, and a call that runs stays to its end.
  return old && (old.now === now || old.runs) ? old.el : undefined;
});
export { show, start, replace };

function draw(tool, { tree }, now) {
  const key = `try ${tool.name}`;
  const first = pages.get(tool.name)?.read();
  const page = { now, el: el("div"), state: el("span", { role: "status" }), result: el("div", { "aria-live": "polite" }) };
  const keep = () => pages.set(tool.name, page);
  const edited = editor(tool.name, tree, first, (ok) => { if (!page.runs) page.state.textContent = ok ? "fits" : "does not fit yet"; }, () => { keep(); unsent.add(key); });
  page.read = edited.read;
  page.run = button("Run", () => { keep(); call(tool.name, page); }, "main");
  page.stop = button("Stop", () => api("stop", { number: page.number }).catch(() => {}));
  page.stop.disabled = true;
  const empty = button("Empty the form", () => {
    pages.delete(tool.name);
    unsent.delete(key);
    again();
  });
  if (first !== undefined) keep();
  fill(page.el, el("h2", tool.name), el("p", permissionTag(tool.permission)), el("p.text", tool.description),
    edited.el, el("div.row", page.run, page.stop, empty, page.state), page.result);
  return page.el;
}

async function call(tool, page) {
  const [number] = crypto.getRandomValues(new Uint32Array(1));
  page.number = number;
  page.bar = el("progress", { max: 1, "aria-label": "Progress" });
  page.note = el("span.text");
  running.set(number, page);
  page.runs = page.run.disabled = true;
  page.stop.disabled = false;
  page.state.textContent = "running";
  fill(page.result, el("div.row", page.bar, page.note));
  try {
    showReply(page.result, await api("call", { number, tool, arguments: page.read() }));
    // The trace has it now.
    unsent.delete(`try ${tool}`);
    page.state.textContent = "done";
  } catch (error) {
    fill(page.result, failed(error));
    page.state.textContent = "failed";
  } finally {
    running.delete(number);
    page.runs = page.run.disabled = false;
    page.stop.disabled = true;
  }
}

// Says where the question is, if a call that runs may be the one that waits.
export function waits(count) {
  for (const page of running.values()) page.state.textContent = count > 0 ? "running; a call waits under Waiting" : "running";
}

export function progress({ number, done, total, message }) {
  const page = running.get(number);
  if (!page) return;
  if (total) page.bar.value = Math.min(1, done / total);
  fill(page.note, `${done}${total ? ` of ${total}` : ""} ${message ?? ""}`);
}

export function showReply(box, reply) {
  fill(box,
    el("h3", "Result"),
    el("p", el("span", { className: `tag ${reply.ok ? "good" : "bad"}` }, reply.outcome), reply.micros !== undefined && duration(reply.micros),
      reply.halted && " (a halt; the model does not see it)"),
    el("p.quiet text", readWith(reply)),
    code(reply.text || "(no output)", "What the model gets"),
    (reply.content ?? []).map((part) => (part.data
      ? el("img.picture", { alt: "A picture of the tool", src: `data:${part.mime};base64,${part.data}` })
      : code(part.text, "More of the result"))),
    (reply.data ?? null) !== null && [el("h3", "Data"), code(JSON.stringify(reply.data, null, 2), "Data")]);
}
