// Small helpers: elements, texts, and requests to the desk.

import { request } from "./session.js";

export const RAW = typeof JSON.rawJSON === "function";
// Those of `callpact::review::is_hidden`, but line ends and tabs.
const HIDDEN = /(?![ \t\n])[\p{C}\p{Z}\p{DI}\u2800\ufffc\u{16fe4}\u{1d159}]/gu;

// A text with its invisible and reordering characters written out.
export const visible = (text) => String(text).replace(HIDDEN, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);

// An element of a tag and perhaps a class, with properties if the first child is none. A text never becomes markup.
export function el(kind, ...children) {
  const [tag, className] = kind.split(".");
  const made = document.createElement(tag);
  if (className) made.className = className;
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
    if ((child ?? false) !== false) parent.append(child instanceof Node ? child : visible(child));
  }
}

export function fill(parent, ...children) {
  parent.replaceChildren();
  add(parent, children);
  return parent;
}

// Reads JSON and keeps the digits of numbers.
export const parse = (text) => JSON.parse(text, (_, value, context) => (RAW && typeof value === "number" && context?.source !== undefined ? JSON.rawJSON(context.source) : value));

// JSON for people; another text stays as it is.
export const pretty = (text) => { try { return JSON.stringify(parse(text), null, 2); } catch { return text; } };

export const many = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

export const outOf = (count, all, what) => `${count === all ? "" : `${count} of `}${many(all, what)}`;

let count = 0;
export const newId = () => `id-${++count}`;

// An error with the status of an answer; 0 is none.
const fault = (status, text) => Object.assign(new Error(text), { status });

// A field that is typed into. What cannot be seen of its text is written out below it.
export function typed(tag, props) {
  const note = el("p.warn text", { role: "status" });
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

export const failed = (error) => el("p.fault text", { role: "alert" }, error.message);

export const time = (millis) => new Date(millis).toLocaleString();

// The time of the day in eight characters.
export const clock = (millis) => new Date(millis).toTimeString().slice(0, 8);

export function duration(micros) {
  if (micros < 1000) return `${micros} µs`;
  if (micros < 1e6) return `${(micros / 1000).toPrecision(3)} ms`;
  return `${(micros / 1e6).toPrecision(3)} s`;
}

export const button = (label, onclick, className) => el("button", { type: "button", onclick, className }, label);

// A text of several lines in a box of its own.
export const code = (text, label, className) => el("pre", { className, tabIndex: 0, role: "group", "aria-label": label }, text);

const COLOURS = { "+": "add", "-": "cut" };

// Lines that begin with `+`, `-` or a blank, as a tool's preview has them.
export const marked = (lines, label) => code(lines.map((line) => el("span", { className: COLOURS[line[0]] }, line)), label, "diff");
