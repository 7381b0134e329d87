// Small helpers: elements, texts, and requests to the desk.

import { request } from "./session.js";

export const RAW = typeof JSON.rawJSON === "function";
// Those of `callpact::review::is_hidden`, but line ends and tabs.
const HIDDEN = /(?![ \t\n])[\p{C}\p{Z}\p{DI}\u2800\ufffc\u{16fe4}\u{1d159}]/gu;

// A text with its invisible and reordering characters written out.
export const visible = (text) => String(text).replace(HIDDEN, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);

// An element of a tag and its classes, with properties if the first child is none. A text never becomes markup.
export function el(kind, ...children) {
  const [tag, ...classes] = kind.split(".");
  const made = document.createElement(tag);
  if (classes.length) made.className = classes.join(" ");
  const props = children[0]?.constructor === Object ? children.shift() : {};
  for (const [name, value] of Object.entries(props)) {
    if ((value ?? false) === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && !name.startsWith("aria")) made[name] = value;
    else made.setAttribute(name, visible(value));
  }
  add(made, children);
  return made;
}

function add(parent, children) {
  for (const child of children.flat(Infinity)) {
    if ((child ?? false) !== false && child !== "") parent.append(child instanceof Node ? child : visible(child));
  }
}

export function fill(parent, ...children) {
  parent.replaceChildren();
  add(parent, children);
  return parent;
}

const SVG = document.querySelector("svg").namespaceURI;

export function icon(name, ...classes) {
  const [made, use] = ["svg", "use"].map((tag) => document.createElementNS(SVG, tag));
  use.setAttribute("href", `#i-${name}`);
  made.setAttribute("class", ["icon", ...classes].join(" "));
  made.setAttribute("aria-hidden", "true");
  made.append(use);
  return made;
}

// Reads JSON and keeps the digits of numbers.
export const parse = (text) => JSON.parse(text, (_, value, context) => (RAW && typeof value === "number" && context?.source !== undefined ? JSON.rawJSON(context.source) : value));
export const isNumber = (value) => typeof value === "number" || (RAW && JSON.isRawJSON(value));
export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !isNumber(value);

// JSON for people; another text stays as it is.
export const pretty = (text) => { try { return JSON.stringify(parse(text), null, 2); } catch { return text; } };

export const many = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

let count = 0;
export const newId = () => `id-${++count}`;

export const at = (id) => document.getElementById(id);
export const say = (words) => { at("said").textContent = words; };
export const phone = matchMedia("(max-width: 720px)");

// An error with the status of an answer; 0 is none.
const fault = (status, text) => Object.assign(new Error(text), { status });

// A field that is typed into. What cannot be seen of its text is written out below it.
export function typed(tag, props) {
  const note = el("p.warn.text.small", { role: "status" });
  const look = () => {
    const { value } = input;
    const count = value.match(HIDDEN)?.length;
    const from = Math.max(0, value.search(HIDDEN) - 60);
    note.textContent = !count ? "" : `${many(count, "hidden character")}${props.secret ? "" : `: ${visible(value.slice(from, from + 200))}`}`;
  };
  const input = el(tag, { autocomplete: "off", ...props, oninput: () => { look(); props.oninput?.(); } });
  input.spellcheck = false;
  look();
  return { el: el("div.typed", input, note), input, look };
}

// What somebody typed and did not send. The browser asks before it is lost.
export const unsent = new Set();
addEventListener("beforeunload", (event) => { if (unsent.size) event.preventDefault(); });

// Asks the desk. With a body it is a POST.
export async function api(name, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let answer, data;
  try {
    answer = await request(name, options);
    data = await answer.json();
  } catch {
    throw fault(0, "The program cannot be reached. This page keeps trying to.");
  }
  if (!answer.ok) throw fault(answer.status, data.error);
  return data;
}

export const failed = (error) => el("p.fault.text", { role: "alert" }, error.message);

// How far the clock of the desk is ahead of this one.
let ahead = 0;
export const now = () => Date.now() + ahead;
export const setClock = (desk) => { ahead = desk - Date.now(); };

export const time = (millis) => new Date(millis).toLocaleString();
// The time of the day in eight characters.
export const clock = (millis) => new Date(millis).toTimeString().slice(0, 8);

export function duration(micros) {
  if (micros < 1000) return `${micros} µs`;
  if (micros < 1e6) return `${Number((micros / 1000).toPrecision(3))} ms`;
  return micros < 6e7 ? `${Number((micros / 1e6).toPrecision(2 + (micros >= 1e7)))} s` : span(micros / 1e6);
}

// A number of seconds as a clock shows it.
export function span(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole >= 86400) return `${Math.floor(whole / 86400)} d ${Math.floor((whole % 86400) / 3600)} h`;
  if (whole >= 3600) return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export const EFFECT = { read_only: ["read", "reads"], write: ["write", "writes"], destructive: ["destructive", "destroys"] };
export const effectIcon = (permission) => icon(EFFECT[permission][0], EFFECT[permission][0]);
export const effect = (permission) => el(`span.effect.${EFFECT[permission][0]}`, icon(EFFECT[permission][0]), EFFECT[permission][1]);

export const badge = (words, kind, mark) => el(`span.badge${kind ? `.${kind}` : ""}`, mark && icon(mark), words);

// `key` is the letter that presses it while its view is shown.
export const button = (words, onclick, kind = "", key, mark) => el(`button.button${kind}`, { type: "button", onclick, "aria-keyshortcuts": key }, mark && icon(mark), words, key && el("kbd", { "aria-hidden": "true" }, key));

export const copy = (words, content, kind = ".mini") => button(words, async ({ currentTarget }) => {
  const done = await navigator.clipboard.writeText(content).then(() => "Copied", () => "Select and copy it");
  currentTarget.lastChild.textContent = done;
}, kind, null, "copy");

// A text of several lines in a box of its own.
export const code = (title, content, ...extra) => el("div.code", el("div.code-head", el("span", title), el("span.spread"), extra, copy("Copy", content)), el("pre", { tabIndex: 0, role: "region", "aria-label": title }, content));

export const fold = (title, ...inner) => el("details", el("summary", icon("right"), title), inner);
export const part = (title, ...inner) => el("section.part", { "aria-label": title }, el("div.part-head", el("h3", title)), inner);

const NOTE = { risk: "bad", fine: "good", care: "warn" };
export const note = (kind, mark, title, ...inner) => el(`div.note.${kind}`, icon(mark, NOTE[kind]), el("div", el("p", el("strong", title)), inner));

// Enter opens the first entry that was found, and the arrow goes to it.
export const search = (label, oninput) => {
  const input = el("input.search", { type: "search", "aria-label": label, placeholder: label, autocomplete: "off", oninput: () => oninput(input.value), onkeydown: ({ key }) => {
    const first = ["Enter", "ArrowDown"].includes(key) && input.closest(".list").querySelector(".item, a.msg, [data-call]");
    if (!first) return;
    first.focus();
    if (key === "Enter") first.click();
  } });
  return { el: el("div.field-search", icon("search"), input, el("kbd", { "aria-hidden": "true" }, "/")), input };
};

// A choice of one, as buttons side by side.
export function segments(label, options, now, pick) {
  const box = el("div.segments", { role: "group", "aria-label": label });
  const mark = (value) => { for (const one of box.children) one.ariaPressed = String(one.dataset.value === value); };
  for (const [value, words] of options) {
    const one = el("button", { type: "button", onclick: () => { mark(value); pick(value); } }, words);
    one.dataset.value = value;
    box.append(one);
  }
  mark(now);
  return { el: box, mark };
}

export const capital = (text) => text[0].toUpperCase() + text.slice(1);
export const effects = (pick) => segments("Effect", [["all", "All"], ...Object.entries(EFFECT).map(([name, [, words]]) => [name, capital(words)])], "all", pick);

// The way back to a list on a phone.
export const back = (view, title) => el("div.close", el("h1", el("a", { href: `#${view}` }, icon("left"), title, el("span.vh", ", back to the list"))));

const change = (lines) => {
  const numbered = lines.some((line) => line.before !== undefined || line.after !== undefined);
  let last;
  const rows = [];
  for (const line of lines) {
    const kind = line.after === undefined ? "del" : line.before === undefined ? "ins" : "same";
    // Lines that are left out leave a gap.
    if (last && kind === "same" && last.kind === "same" && line.before !== last.before + 1) rows.push(el("div.gap"));
    last = { kind, before: line.before };
    rows.push(el(`div.${kind}`,
      numbered && [el("span.ln", { "aria-hidden": "true" }, line.before ?? ""), el("span.ln", { "aria-hidden": "true" }, line.after ?? "")],
      el("span.sign", { del: "−", ins: "+", same: " " }[kind]),
      el("span", line.parts.map((one) => (one.changed ? el("mark", one.text) : one.text)), line.open && el("span.open-end", " (no line end)"))));
  }
  return rows;
};

// A difference between two texts, as the desk gives it.
export const diff = ({ path, added, removed, lines }) => el("div.code",
  el("div.code-head", el("span.mono.ell", path), el("span.spread"), el("span.num.row", el("span.plus", `+${added}`), el("span.minus", `−${removed}`))),
  el("div.diff", { tabIndex: 0, role: "region", "aria-label": `Difference of ${path}` }, change(lines)));

// A tool's preview: as the data that it is, or as text.
export function preview(shown) {
  if (typeof shown === "string") return part("What happens", code("Preview", shown));
  const [kind, shape] = Object.entries(shown.shape)[0];
  if (kind === "file") return part("What changes", diff(shape));
  if (kind === "command") return part("What will run", code("Command", shape.command), el("dl.fields", shape.facts.map(([name, value]) => el("div", el("dt", name), el("dd", value), el("dd")))));
  return part("What will run", code("Request", shown.text));
}

// A dialog in front of the page, which `done` or giving it up closes.
export function dialog(title, inner, done) {
  const box = at("dialog");
  const heading = el("h2", { id: "dialog-title", tabIndex: -1, autofocus: true }, title);
  fill(box, heading, inner, el("div.row.wrap.dialog-foot", button(done ? "Cancel" : "Close", () => box.close()), done));
  box.showModal();
  heading.focus();
  return box;
}

// A list is one stop of the Tab key; the arrows move in it.
export function rove(box) {
  const items = [...box.querySelectorAll(".item, a.msg")];
  const now = items.find((one) => one.tabIndex === 0 && one === document.activeElement) ?? items.find((one) => one.ariaCurrent) ?? items[0];
  for (const one of items) one.tabIndex = one === now ? 0 : -1;
}
addEventListener("keydown", (event) => {
  const item = event.target.closest?.(".item, a.msg");
  if (!item || !["ArrowDown", "ArrowUp", "Home", "End"].includes(event.key)) return;
  const items = [...item.closest(".scroll").querySelectorAll(".item, a.msg")];
  const now = items.indexOf(item);
  const to = { ArrowDown: items[now + 1], ArrowUp: items[now - 1], Home: items[0], End: items.at(-1) }[event.key];
  event.preventDefault();
  if (!to) return;
  for (const one of items) one.tabIndex = one === to ? 0 : -1;
  to.focus();
});
