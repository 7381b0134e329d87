// The calls that wait for a person.

import { api, button, code, el, failed, fill, marked, pretty, time, typed, unsent } from "./dom.js";
import { permissionTag } from "./tools.js";
import { editor, showReply } from "./try.js";

const RUNS = { running: "it runs", broken_off: "it was begun and broke off, so nobody knows whether it was carried out" };
// The edited call would do something else by now.
const CHANGED = 412;
let number, box, told, empty, who;
let cards = new Map();
let loading, again, broken;
let named, loaded;

export function start(section, count) {
  number = count;
  box = el("div");
  told = el("p", { role: "status", className: "text" });
  who = el("p.quiet text");
  empty = el("div.empty", el("p", "Nothing waits."), el("p", "Calls that need a person appear here."));
  fill(section, el("h2", "Waiting for a person"), who, told, box, empty);
}

// The address may name a call.
export function show(id) {
  named = id;
  if (loaded) lead();
}

function mark() {
  for (const one of cards.values()) one.el.ariaCurrent = named && one.id === named ? "true" : null;
}

// Goes to the call that the address names.
function lead() {
  mark();
  if (!named) return;
  const one = box.querySelector("[aria-current]");
  if (one) one.focus();
  else fill(told, `The call ${named} does not wait here, or does not wait any more.`);
}

// Says under which name somebody decides.
export const greet = async () => fill(who, `You decide as “${(await api("me")).name}”.`);

// Draws new calls and takes settled ones away.
export async function load() {
  if (loading) { again = true; return; }
  loading = true;
  try {
    const list = await api("waiting");
    if (broken) fill(told);
    broken = false;
    const next = new Map();
    for (const call of list) {
      const key = [call.id, call.state, call.digest, call.decided?.run, call.barred, call.no_yes].join(" ");
      next.set(key, cards.get(key) ?? card(call));
    }
    for (const [key, one] of cards) if (!next.has(key)) one.gone();
    let before = null;
    for (const one of [...next.values()].reverse()) {
      if (one.el.nextSibling !== before || !one.el.isConnected) box.insertBefore(one.el, before);
      before = one.el;
    }
    cards = next;
    number(list.filter((call) => call.state === "waiting").length);
    empty.hidden = box.firstChild !== null;
    mark();
    if (!loaded) {
      loaded = true;
      lead();
    }
  } catch (error) {
    broken = true;
    fill(told, error.message);
  } finally {
    loading = false;
    if (again) { again = false; load(); }
  }
}

// What was changed in the arguments of a call, and its preview.
const does = (call) => [
  call.changes?.length ? [el("h3", "Changed or filled in"), el("ul", call.changes.map((one) => el("li.text", one)))] : "",
  call.preview ? [el("h3", "Preview"), marked(call.preview.split("\n"), "Preview")] : "",
];

function card(call) {
  const made = el("article.card", { "aria-label": `Call of ${call.tool}`, tabIndex: -1 });
  const result = el("div.text", { role: "status" });
  const line = (name, value) => (value ?? "") !== "" && el("div", el("dt", name), el("dd.text", value));
  let sending = false;
  const close = () => {
    unsent.delete(call.id);
    made.remove();
    load();
  };
  const closing = () => button("Close", close);
  const type = () => unsent.add(call.id);
  const decide = (decision, edited) => send("decide", { id: call.id, digest: call.digest, edited, decision });
  const send = async (name, body) => {
    actions.disabled = sending = true;
    fill(result, "…");
    try {
      const { settled, reply } = await api(name, body);
      fill(told, `${call.tool}: ${settled}`);
      if (!reply) return close();
      unsent.delete(call.id);
      const shown = el("div");
      showReply(shown, reply);
      fill(made, el("h2", call.tool), el("p", settled), shown, closing());
    } catch (error) {
      fill(result, failed(error));
      if (error.status === 409 || error.status === 404) {
        // Somebody else decided.
        fill(told, `${call.tool}: ${error.message}`);
        result.append(closing());
      } else {
        actions.disabled = sending = false;
      }
      return error.status;
    }
  };
  // It does not wait any more. What somebody typed stays until they have read so.
  const gone = () => {
    if (sending) return;
    const text = `${call.tool}: this call does not wait any more, or is another one now.`;
    fill(told, text);
    if (!unsent.has(call.id)) return made.remove();
    actions.disabled = sending = true;
    fill(result, el("p.fault", text, " What you typed was not sent."), closing());
  };
  const reason = typed("input", { type: "text", "aria-label": "Reason for refusing", placeholder: "Reason for the model", oninput: type });
  const place = el("div");
  const yes = button("Approve", () => decide({ decision: "continue" }), "main");
  const open = async () => {
    const difference = el("div");
    const effect = el("div");
    const approve = button("Approve the edit", async () => {
      const text = edit.read();
      if (call.shows_edits && seen?.text !== text) return look();
      if (await decide({ decision: "edit", text }, seen?.digest) === CHANGED) look();
    }, "main");
    let edit, seen;
    let latest = 0;
    // Nobody approves an edit before they see what it does.
    const look = async () => {
      const text = edit.read();
      approve.disabled = true;
      seen = undefined;
      try {
        const edited = await api("edit", { id: call.id, text });
        if (edit.read() !== text) return;
        seen = { text, digest: edited.digest };
        fill(effect, el("h3", "What the edited call does"), does(edited), edited.preview ? "" : el("p.quiet", "It has no preview."), el("dl.meta", line("Digest", edited.digest)));
        approve.disabled = false;
      } catch (error) {
        if (edit.read() === text) fill(effect, failed(error));
      }
    };
    const compare = async () => {
      const mine = ++latest;
      const lines = await api("diff", { before: pretty(call.action), after: pretty(edit.read()) }).catch(() => []);
      if (mine === latest) fill(difference, marked(lines.map(([mark, line]) => `${mark} ${line}`), "Difference"));
    };
    if (call.form) {
      let tree;
      try { ({ tree } = await api("tool", { tool: call.tool })); } catch (error) { return fill(place, failed(error)); }
      edit = editor(call.tool, tree, call.action, (ok) => {
        approve.disabled = !ok;
        compare();
        if (call.shows_edits) ok ? look() : effect.replaceChildren();
      }, type);
    } else {
      const text = typed("textarea", { className: "code", value: call.action, "aria-label": "Edited text", oninput: () => { type(); compare(); } });
      edit = { el: text.el, read: () => text.input.value };
    }
    // What is approved now is the edit, or nothing.
    yes.disabled = change.disabled = true;
    fill(place, el("h3", "Edit"), edit.el, difference, effect, el("div.row", approve,
      button("Do not edit", () => {
        if (!reason.input.value) unsent.delete(call.id);
        yes.disabled = change.disabled = false;
        place.replaceChildren();
      })));
  };
  const change = button("Edit", open);
  const actions = el("fieldset", call.state === "waiting" && !call.barred && [
    call.no_yes ? el("p.warn text", call.no_yes) : "",
    place,
    el("div.row", !call.no_yes && [yes, change],
      el("div.row grow", reason.el, button("Refuse", () => decide({ decision: "refuse", reason: reason.input.value }))),
      button("Reject and end the run", () => decide({ decision: "exit_early" }), "danger"))],
  call.state === "decided" && call.runs_here && call.decided.run !== "running" && !call.barred && button("Carry out", () => send("resume", { id: call.id })));
  fill(made,
    el("h2", call.tool || "A question"),
    el("p", call.permission && permissionTag(call.permission), el("span.tag", call.from === "store" ? "from the store" : "the program waits")),
    el("dl.meta", line("What", call.description), line("Workspace", call.workspace), line("Asked by", call.asked_by), line("Role that has to decide", call.required_role),
      line("Since", time(call.since)), call.until && line("Until", time(call.until)), line("Question", call.prompt), line("Page to go to", call.page)),
    el("h3", "What will run"), code(pretty(call.action), "What will run"),
    does(call),
    call.decided?.edited ? [el("h3", "As it was edited"), code(pretty(call.decided.edited.arguments), "As it was edited"), does(call.decided.edited)] : "",
    call.output ? [el("h3", "Output"), code(call.output, "Output")] : "",
    el("dl.meta", line("Digest", call.digest),
      call.state === "decided" && line("Decided", `${call.decided.what} by ${call.decided.by}, ${time(call.decided.at)}; ${RUNS[call.decided.run] ?? "not carried out yet"}`)),
    call.state === "expired" && el("p.warn", "Its time is over."),
    call.barred && el("p.warn text", call.barred),
    actions, result);
  return { id: call.id, el: made, gone };
}
