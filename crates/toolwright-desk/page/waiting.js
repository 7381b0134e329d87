// The calls that wait for a person.

import { api, code, diff, diffLines, el, fill, marked, time, visible } from "./dom.js";
import { parse } from "./form.js";
import { editor, showReply } from "./try.js";

const RUNS = { running: "it runs", broken_off: "it was begun and broke off, so nobody knows whether it was carried out" };
let section, number, box, told;
let cards = new Map();
let loading, again;

export function start(made, count) {
  section = made;
  number = count;
  box = el("div");
  told = el("p", { role: "status", className: "text" });
  fill(section, el("h2", {}, "Waiting for a person"), told, box);
}

export function show() {}

// Draws new calls and takes settled ones away; the card that a person works on stays as it is.
export async function load() {
  if (loading) { again = true; return; }
  loading = true;
  try {
    const list = await api("waiting");
    const next = new Map();
    for (const call of list) {
      const key = `${call.id} ${call.state} ${call.digest} ${call.decided?.run}`;
      next.set(key, cards.get(key) ?? card(call));
    }
    for (const [key, one] of cards) if (!next.has(key) && !one.busy()) one.el.remove();
    let before = null;
    for (const one of [...next.values()].reverse()) {
      if (one.el.nextSibling !== before || !one.el.isConnected) box.insertBefore(one.el, before);
      before = one.el;
    }
    cards = next;
    number(list.filter((call) => call.state === "waiting").length);
    if (list.length === 0) told.textContent = "Nothing waits.";
    else if (told.textContent === "Nothing waits.") told.textContent = "";
  } catch (error) {
    told.textContent = visible(error.message);
  } finally {
    loading = false;
    if (again) { again = false; load(); }
  }
}

const pretty = (text) => { try { return JSON.stringify(parse(text), null, 2); } catch { return text; } };

function card(call) {
  const made = el("article", { className: "card", "aria-label": visible(`Call of ${call.tool}`) });
  const result = el("div", { className: "text", role: "status" });
  const line = (name, value) => value !== undefined && value !== null && value !== "" && el("span", { className: "text" }, el("small", {}, `${name}: `), value);
  let busy = false;
  let edit;
  const decide = (decision) => send("decide", { id: call.id, digest: call.digest, decision });
  const send = async (name, body) => {
    for (const button of made.querySelectorAll("button")) button.disabled = true;
    busy = true;
    result.textContent = "…";
    try {
      const { settled, reply } = await api(name, body);
      told.textContent = visible(`${call.tool}: ${settled}`);
      if (reply) {
        fill(made, el("h2", {}, call.tool), el("p", {}, settled));
        const shown = el("div");
        showReply(shown, reply);
        made.append(shown, el("button", { type: "button", onclick: () => made.remove() }, "Close"));
        return;
      }
      busy = false;
      made.remove();
    } catch (error) {
      result.textContent = visible(error.message);
      result.className = "fault text";
      if (error.status === 409 || error.status === 404) {
        // Somebody else decided: it stays until it was read.
        told.textContent = visible(`${call.tool}: ${error.message}`);
        fill(made, el("h2", {}, call.tool), el("p", { className: "fault text" }, error.message), el("button", { type: "button", onclick: () => made.remove() }, "Close"));
        return;
      }
      busy = false;
      for (const button of made.querySelectorAll("button")) button.disabled = false;
    }
  };
  const reason = el("input", { type: "text", placeholder: "Reason, which the model is told", "aria-label": "Reason for refusing" });
  const place = el("div");
  const open = async () => {
    if (edit) return;
    busy = true;
    const difference = el("div");
    const approve = el("button", { type: "button", className: "main" }, "Approve the edit");
    const compare = () => fill(difference, diffLines(diff(pretty(call.action), pretty(edit.read()))));
    if (call.form) {
      const full = await api("tool", { tool: call.tool });
      edit = editor(call.tool, full.tree, call.action, (ok) => { approve.disabled = !ok; compare(); });
    } else {
      const text = el("textarea", { className: "code", value: call.action, "aria-label": "Edited text", oninput: () => compare() });
      edit = { el: text, read: () => text.value };
    }
    approve.onclick = () => decide({ decision: "edit", text: edit.read() });
    fill(place, el("h3", {}, "Edit"), edit.el, difference, el("div", { className: "row" }, approve,
      el("button", { type: "button", onclick: () => { edit = undefined; busy = false; place.replaceChildren(); } }, "Do not edit")));
  };
  fill(made,
    el("h2", {}, call.tool || "A question"),
    el("p", {}, call.permission && el("span", { className: `tag ${call.permission}` }, call.permission.replace("_", " ")),
      el("span", { className: "tag" }, call.from === "store" ? "from the store" : "the program waits")),
    el("p", { className: "meta" }, line("What", call.description), line("Workspace", call.workspace), line("Asked by", call.asked_by), line("Role that has to decide", call.required_role),
      line("Since", time(call.since)), call.until && line("Until", time(call.until)), line("Question", call.prompt), line("Page to go to", call.page)),
    el("h3", {}, "What will run"), code(pretty(call.action), "What will run"),
    call.changes?.length ? [el("h3", {}, "Changed or filled in"), el("ul", {}, call.changes.map((change) => el("li", { className: "text" }, change)))] : "",
    call.preview ? [el("h3", {}, "Preview"), marked(call.preview)] : "",
    call.output ? [el("h3", {}, "Output"), code(call.output, "Output")] : "",
    el("p", { className: "meta" }, line("Digest", call.digest)),
    call.state === "waiting" && [
      el("div", { className: "row" },
        el("button", { type: "button", className: "main", onclick: () => decide({ decision: "continue" }) }, "Approve"),
        el("button", { type: "button", onclick: open }, "Edit"),
        el("button", { type: "button", onclick: () => decide({ decision: "exit_early" }) }, "Reject and end the run")),
      el("div", { className: "row" }, reason, el("button", { type: "button", onclick: () => decide({ decision: "refuse", reason: reason.value }) }, "Refuse")),
      place],
    call.state === "decided" && line("Decided", `${call.decided.what} by ${call.decided.by}, ${time(call.decided.at)}; ${RUNS[call.decided.run] ?? "not carried out yet"}`),
    call.state === "decided" && call.runs_here && call.decided.run !== "running" && el("button", { type: "button", onclick: () => send("resume", { id: call.id }) }, "Carry out"),
    call.state === "expired" && el("p", { className: "warn" }, "Its time is over."),
    result);
  return { el: made, busy: () => busy };
}
