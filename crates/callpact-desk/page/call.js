// One waiting call: what happens, who asks, the arguments, and the decision.

import { api, back, badge, button, capital, code, copy, dialog, diff, effect, el, fill, fold, icon, isObject, many, note, now, parse, part, preview, pretty, say, span, time, typed, unsent, visible } from "./dom.js";
import { editor } from "./editor.js";
import { describe } from "./tools.js";

const RUNS = { running: "It runs now.", broken_off: "It began and broke off, so nobody knows whether it was carried out." };
const MASK = /^\(secret( \d+)?\)$/;
const REFERENCE = /^<secret_ref:([^<>]*)>$/;
// The edited call would do something else by now.
const CHANGED = 412;
const BUSY = 502;
const RETRY = 3;

// A value of the arguments. Secrets are masked by the desk.
function value(one) {
  if (typeof one === "string") {
    const name = REFERENCE.exec(one)?.[1];
    if (name !== undefined) return el("span.hidden-value", icon("lock"), `secret “${name}”`);
    if (MASK.test(one)) return el("span.hidden-value", icon("lock"), "••••••••", el("span.vh", "a secret"));
    return one === "" ? el("span.quiet", "empty text") : visible(one).replace(/\n$/, "↵");
  }
  if (Array.isArray(one)) return one.length === 0 ? el("span.quiet", "empty list") : one.length === 1 && isObject(one[0]) ? value(one[0]) : one.map((item) => el("div", value(item)));
  if (isObject(one)) return el("div.pairs", Object.entries(one).map(([key, inner]) => [el("span.quiet", key), el("span", value(inner))]));
  return JSON.stringify(one);
}

const key = (name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
const MARKS = ["secret", "edited", "fixed", "default"];

// The arguments by name, each with what is to know about it.
function fields(text, marks, parts) {
  let args;
  try { args = parse(text); } catch { /* a text */ }
  if (!isObject(args)) return code("What will run", text);
  const names = Object.keys(args);
  const rest = new Map();
  for (const mark of marks) {
    const name = mark.place.split("/")[1]?.replaceAll("~1", "/").replaceAll("~0", "~");
    if (name === undefined || !names.includes(name)) rest.set(name ?? "all", [...(rest.get(name ?? "all") ?? []), mark]);
  }
  const about = (name) => parts.find((one) => one.name === name)?.description;
  const row = (name, shown, mine) => el("div", el("dt", name, about(name) && el("small", about(name))),
    el("dd", shown, mine.filter((mark) => mark.reason).map((mark) => el("small.why", mark.place === key(name) || !mark.place ? mark.reason : `${mark.place.slice(key(name).length + 1).replaceAll("/", ".")}: ${mark.reason}`))),
    el("dd.marks", MARKS.filter((kind) => mine.some((mark) => mark.kind === kind && (kind !== "default" || mark.place === key(name)))).map((kind) => badge(kind, kind, kind === "secret" && "lock"))));
  return el("dl.fields",
    names.map((name) => row(name, value(args[name]), marks.filter((mark) => mark.place === key(name) || mark.place.startsWith(`${key(name)}/`)))),
    [...rest].map(([name, mine]) => row(name, name === "all" ? "" : el("span.quiet", "not used"), mine)),
    names.length === 0 && rest.size === 0 && el("div", el("dt", "none"), el("dd.words", "It takes no arguments."), el("dd")));
}

const who = (call) => {
  const { facts } = call;
  const one = (name, shown) => shown && el("span", el("i", `${name} `), shown);
  return el("p.who", icon("user"), el("span.vh", "Asked by"),
    one("agent", facts.agent), one("run", facts.run && [el("a", { href: `#trace` }, facts.run), facts.turn !== undefined && `, turn ${facts.turn}`]),
    one("program", call.program), call.asked_by && call.asked_by !== call.program && one("for", call.asked_by), one("workspace", call.workspace), one("role", call.required_role));
};

export function openCall(id, { next, decided }) {
  const box = el("div.detail.whole");
  const banner = el("div");
  const foot = el("div.actions");
  const body = el("div.stack");
  const left = el("div");
  let call, tree, parts = [], mode = "read", edit, reason, gone = false, offline = false, sending = false, timer, mine = false;
  const title = () => visible(call?.facts.title ?? (call?.tool || "A question"));
  const tell = (...inner) => fill(banner, ...inner);

  const load = async () => {
    try {
      const found = await api("waiting", { id });
      if (call && found.digest === call.digest && found.state === call.state && found.decided?.run === call.decided?.run && found.barred === call.barred && found.no_yes === call.no_yes) return;
      if (call && mode !== "read") {
        if (found.digest === call.digest && found.state === call.state) return;
        tell(note("care", "clock", "This call is another one now.", el("p", "What you typed was not sent. Discard it to see the call as it is.")));
      }
      call = found;
      if (call.form) ({ tree, parts } = await describe(call.tool).catch(() => ({ parts: [] })));
      draw();
    } catch (error) {
      if (error.status === 0) return lost(true);
      if (call && !gone) return ended();
      if (!call) {
        fill(box, back("inbox", "Inbox"), el("div.empty", el("h2", "This call does not wait here"), el("p.text", error.message), button("Next call", next, ".solid", "j")));
      }
    }
  };

  const draw = () => {
    if (mode === "edit") return;
    const { facts } = call;
    const state = call.decided;
    if (call.barred) tell(note("care", "user", "You cannot decide about this call.", el("p.text", call.barred)));
    else if (call.no_yes) tell(note("care", "user", `This call needs somebody with the role “${call.required_role}”.`, el("p.text", `You may read and refuse it. ${call.no_yes}.`)));
    else if (!gone) tell();
    if (state) tell(note("fine", "check", `${capital(state.what)} by ${state.by}, ${time(state.at)}.`, el("p", RUNS[state.run] ?? "It is not carried out yet.")));
    if (call.state === "expired") tell(expired());
    const shown = state?.edited ?? { arguments: call.action, preview: call.preview, facts, changes: call.changes };
    const foreign = facts.server;
    fill(left, timeLeft());
    fill(body, banner,
      el("div.title", el("div", el("div.row.wrap", el("h2", title()), effect(call.permission), facts.title && el("code.quiet", call.tool)),
        el("p.text", facts.about || call.description, foreign && el("span.quiet", ` Said by the server “${foreign.name}”${foreign.trusted ? "" : ", which is not trusted"}.`)),
        facts.about && call.description !== `Call ${call.tool}` && el("p.text", call.description), who(call)), left),
      call.prompt && el("p.text", el("strong", call.prompt)),
      call.page && part("Page to go to", el("p.text", el("code", call.page))),
      shown.preview && preview(shown.preview),
      part("Arguments",
        !shown.preview && el("p.small.quiet", foreign ? "The server offers no preview. These arguments are all that is known." : "This tool has no preview. These arguments are what runs."),
        fields(shown.arguments, shown.facts.marks ?? [], parts)),
      call.output && part("Output", code("Output", call.output)),
      el("div.part",
        shown.changes?.length > 0 && fold("Changed or filled in", el("ul.small", shown.changes.map((one) => el("li.text", one)))),
        fold("As JSON", code("Arguments as JSON", pretty(shown.arguments))),
        fold("What your decision is bound to", el("dl.fields", [["digest", call.digest], ["call", id], ["id of the model", call.call_id]].map(([name, text]) => text && el("div", el("dt", name), el("dd", text), el("dd", copy("Copy", text))))))));
    fill(box, back("inbox", "Inbox"), el("div.scroll", el("div.body", body)), foot);
    decide();
  };

  const expired = () => note("care", "clock", `The time for this call ended at ${time(call.until)}.`, el("p", "Nothing ran. If the agent asks again, a new call appears."));

  const timeLeft = () => {
    if (!call.until || call.state !== "waiting" || gone) return el("div.left", el("span.quiet", `asked ${time(call.since)}`));
    const [all, rest] = [(call.until - call.since) / 1000, Math.max(0, (call.until - now()) / 1000)];
    const bar = el("i");
    bar.style.width = `${Math.min(100, Math.round((rest / all) * 100))}%`;
    return el(`div.left${rest < 60 ? ".soon" : ""}`, el("div.row", icon("clock"), el("span", el("b", span(rest)), " left")),
      el("div.bar", { role: "img", "aria-label": `${span(rest)} of ${span(all)} left` }, bar),
      el("span.quiet.phone-hide", `asked ${span(Math.max(0, (now() - call.since) / 1000))} ago`));
  };

  // One line of words for each decision. Only what can destroy is red.
  const act = (name, words, letter, explain, kind, press, off) => {
    const made = button(words, press, kind, letter);
    made.disabled = Boolean(off);
    const why = `why-${name}`;
    made.setAttribute("aria-describedby", why);
    return el(`div.d-${name}`, made, el("p", { id: why }, explain));
  };

  const decide = () => {
    mode = "read";
    const destroys = call.permission === "destructive";
    if (gone || call.state !== "waiting" || call.barred) {
      const carry = call.state === "decided" && call.runs_here && call.decided.run !== "running" && !call.barred;
      return fill(foot, el("div.row.wrap", carry && button("Carry out", () => send("resume", { id }), ".solid"), button("Next call", next, carry ? "" : ".solid", "j"), el("a.button.plain", { href: "#trace" }, "Open in Trace")));
    }
    const [no, off] = [offline || sending, offline || sending || call.no_yes];
    const list = () => [
      act("approve", "Approve", "a", destroys ? "Runs this, once. Cannot be undone." : call.page ? "You agree to go to the page." : "Runs exactly this, once.", destroys ? ".solid.destructive" : ".solid", () => send("decide", { id, digest: call.digest, decision: { decision: "continue" } }), off),
      act("edit", "Edit", "e", call.form ? "Change it, then approve it." : "Write your own text.", "", openEdit, off),
      act("refuse", "Refuse…", "r", "The agent gets your reason and goes on.", "", refuse, no),
      act("end", "End run…", "x", "Stops the agent. Nothing more runs.", ".risk", endRun, no),
    ];
    fill(foot, el("div.decide", list(), el("div.more-button", el("button.button.square", { type: "button", "aria-label": "More decisions", onclick: () => sheet(list) }, icon("more")))));
  };

  const sheet = (list) => {
    const box = dialog("Decide", el("div.sheet-actions", list().map((one) => {
      const [press, words] = one.children;
      press.removeAttribute("aria-describedby");
      words.removeAttribute("id");
      one.addEventListener("click", () => box.close(), true);
      return one;
    })));
  };

  const refuse = () => {
    mode = "refuse";
    reason ??= typed("textarea", { id: "reason", className: "prose", rows: 2, placeholder: "For example: publish the beta first", oninput: () => unsent.add(id) });
    const go = () => send("decide", { id, digest: call.digest, decision: { decision: "refuse", reason: reason.input.value } });
    fill(foot, el("form", { onsubmit: (event) => { event.preventDefault(); go(); } }, el("label", { htmlFor: "reason" }, el("strong", "Why do you refuse? "), el("span.quiet", "The agent reads this. It may stay empty.")), reason.el,
      el("div.row", button("Refuse", go, ".solid", "Ctrl ↵"), button("Back", () => decide(), ".plain.cancel", "Esc"))));
    reason.input.focus();
  };

  const endRun = () => {
    const run = call.facts.run;
    const box = dialog(run ? `End the run “${run}”?` : "End the run?",
      el("p", "This call does not run, and the agent stops. Calls of the run that still wait are not decided by this."),
      button("End the run", () => { box.close(); send("decide", { id, digest: call.digest, decision: { decision: "exit_early" } }); }, ".solid.destructive"));
  };

  const openEdit = () => {
    mode = "edit";
    const difference = el("div");
    const effects = el("div");
    const status = el("span.quiet.text", { role: "status" });
    const destroys = call.permission === "destructive";
    let seen, latest = 0, faults = 0;
    const approve = button("Approve the edit", async () => {
      const text = edit.read();
      if (call.shows_edits && seen?.text !== text) return look();
      if (await send("decide", { id, digest: call.digest, edited: seen?.digest, decision: { decision: "edit", text } }) === CHANGED) look();
    }, destroys ? ".solid.destructive" : ".solid", "Ctrl ↵");
    const words = () => {
      if (!edit) return;
      approve.disabled = offline || sending || faults > 0 || (call.shows_edits && seen?.text !== edit.read());
      fill(status, faults > 0 ? button(`${many(faults, "fault")} to correct`, edit.lead, ".plain.risk") : "Runs the edited call, once.");
    };
    // Nobody approves an edit before they see what it does.
    const look = async () => {
      if (!edit) return;
      const text = edit.read();
      seen = undefined;
      words();
      try {
        const edited = await api("edit", { id, text });
        if (edit?.read() !== text) return;
        seen = { text, digest: edited?.digest };
        fill(effects, part("What the edited call does", edited?.changes?.length > 0 && el("ul.small", edited.changes.map((one) => el("li.text", one))), edited?.preview ? preview(edited.preview) : el("p.small.quiet", "It has no preview."), edited && fold("Digest", el("code.text", edited.digest))));
        words();
      } catch (error) {
        if (edit?.read() === text) fill(effects, el("p.fault.text", error.message));
      }
    };
    const compare = async () => {
      if (!edit) return;
      const number = ++latest;
      const found = await api("diff", { before: `${pretty(call.action)}\n`, after: `${pretty(edit.read())}\n` }).catch(() => undefined);
      if (number === latest && found) fill(difference, found.lines.length ? diff(found) : el("p.quiet", "Nothing is changed yet."));
    };
    const type = () => unsent.add(id);
    if (call.form && tree) {
      edit = editor({ tool: call.tool, tree, first: call.action, edit: true, touched: type, fits: (count) => {
        faults = count;
        words();
        compare();
        if (call.shows_edits) count ? effects.replaceChildren() : look();
      } });
    } else {
      const text = typed("textarea", { className: "code-text", value: call.action, "aria-label": "Edited text", oninput: () => { type(); compare(); words(); } });
      edit = { el: part("Your text", text.el), read: () => text.input.value, lead: () => text.input.focus(), focus: () => text.input.focus() };
      compare();
    }
    const discard = () => {
      unsent.delete(id);
      edit = undefined;
      mode = "read";
      draw();
    };
    fill(body, banner, body.querySelector(".title"), part("What you change", difference), effects, edit.el);
    fill(foot, el("div.row.wrap", approve, button("Discard the edit", discard, ".plain.cancel", "Esc"), status));
    words();
    edit.focus();
    redrawEdit = words;
  };
  let redrawEdit = () => {};

  const send = async (name, body) => {
    clearTimeout(timer);
    sending = true;
    mine = true;
    for (const one of foot.querySelectorAll("button")) one.disabled = true;
    try {
      const { settled, number } = await api(name, body);
      unsent.delete(id);
      return decided(title(), settled, number);
    } catch (error) {
      sending = false;
      mine = false;
      for (const one of foot.querySelectorAll("button")) one.disabled = false;
      redrawEdit();
      if (error.status === 409 || error.status === 404) ended(undefined, undefined, error.message);
      else if (error.status === BUSY) busy(error, name, body);
      else if (error.status === 0) lost(true);
      else tell(note("care", "destructive", "Your decision was not recorded.", el("p.text", error.message)));
      box.querySelector(".scroll")?.scrollTo(0, 0);
      return error.status;
    }
  };

  const busy = (error, name, body) => {
    const stop = () => { clearTimeout(timer); tell(); };
    tell(note("care", "clock", "The store cannot be used now. Your decision was not recorded.", el("p.text", `${error.message}.`), el("p", `The desk tries again in ${RETRY} s. The call still waits; nothing ran.`),
      el("div.row.wrap", button("Try now", () => send(name, body), ".mini"), button("Do not send it", stop, ".mini.plain"))));
    timer = setTimeout(() => send(name, body), RETRY * 1000);
  };

  // It does not wait any more. The card stays until somebody goes on.
  const ended = (by, what, words) => {
    if (gone || mine) return;
    gone = true;
    const typedText = unsent.has(id);
    unsent.delete(id);
    const head = by ? `${by} ${["refused", "rejected"].includes(what) ? what : `has ${what}`} this call.` : "This call does not wait any more.";
    tell(note("fine", "check", head, words && el("p.text", words), el("p", typedText ? "What you typed was not sent. " : "Your decision was not needed. ", el("a", { href: "#trace" }, "See the call in the trace"), ".")));
    say(head);
    if (!call) return load();
    if (mode !== "edit") { call.state = call.state === "waiting" ? "gone" : call.state; fill(left, timeLeft()); }
    mode = "read";
    decide();
  };

  const lost = (gone1) => {
    if (offline === gone1) return;
    offline = gone1;
    // Until the desk answers again.
    if (offline) setTimeout(function probe() { if (offline) api("me").then(() => lost(false), () => setTimeout(probe, 1000)); }, 1000);
    if (!call || gone) { if (!offline) load(); return; }
    if (offline) tell(note("care", "connect", "No connection to the program. The desk tries again.", el("p", "You can decide when the connection is back.")));
    else tell();
    if (mode === "read") decide();
    redrawEdit();
    if (!offline) load();
  };

  load();
  return {
    el: box,
    check: () => { if (!gone && !sending) load(); },
    ended: (by, what) => { if (!mine) ended(by, what); },
    lost,
    draft: () => unsent.has(id) || mode === "edit",
    tick: () => {
      if (!call || gone || call.state !== "waiting" || !call.until) return;
      if (call.until <= now() && mode !== "edit") {
        call.state = "expired";
        tell(expired());
        decide();
      }
      fill(left, timeLeft());
    },
  };
}
