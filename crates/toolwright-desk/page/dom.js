// Small helpers: elements, texts, and requests to the desk.

// The characters that `toolwright::review::is_hidden` knows, but line ends and tabs.
const HIDDEN = /(?![ \t\n])[\p{C}\p{Z}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufffc\u{16fe4}\u{1d159}\u{e0000}-\u{e0fff}]/gu;

// A text with its invisible and reordering characters written out.
export const visible = (text) => String(text).replace(HIDDEN, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);

// An element. Texts among the children become text, never markup.
export function el(tag, props, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && !name.startsWith("aria")) made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  add(made, children);
  return made;
}

function add(parent, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    parent.append(child instanceof Node ? child : visible(child));
  }
}

export function fill(parent, ...children) {
  parent.replaceChildren();
  add(parent, children);
  return parent;
}

let count = 0;
export const newId = () => `id-${++count}`;

export class Fault extends Error {
  constructor(status, data) {
    super(data?.error ?? `the desk answered ${status}`);
    this.status = status;
    this.data = data;
  }
}

// Called when the desk does not know this browser any more.
export const session = { lost: () => {} };

// Asks the desk. With a body it is a POST.
export async function api(name, body, signal) {
  const options = { credentials: "same-origin", signal };
  if (body !== undefined) {
    Object.assign(options, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  }
  const answer = await fetch(`api/${name}`, options);
  const data = await answer.json().catch(() => null);
  if (answer.status === 401 && name !== "session") session.lost();
  if (!answer.ok) throw new Fault(answer.status, data);
  return data;
}

export function time(millis) {
  const date = new Date(millis);
  const today = date.toDateString() === new Date().toDateString();
  return today ? date.toLocaleTimeString() : date.toLocaleString();
}

export function duration(micros) {
  if (micros < 1000) return `${micros} µs`;
  if (micros < 1e6) return `${(micros / 1000).toPrecision(3)} ms`;
  return `${(micros / 1e6).toPrecision(3)} s`;
}

// A list of lines as a diff: what only the first has, what only the second has, and what both have.
export function diff(before, after) {
  const one = before.split("\n");
  const two = after.split("\n");
  if (one.length * two.length > 1e6) return [...one.map((line) => ["-", line]), ...two.map((line) => ["+", line])];
  const width = two.length + 1;
  const same = new Uint32Array((one.length + 1) * width);
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = two.length - 1; j >= 0; j--) {
      same[i * width + j] = one[i] === two[j] ? same[(i + 1) * width + j + 1] + 1 : Math.max(same[(i + 1) * width + j], same[i * width + j + 1]);
    }
  }
  const lines = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < two.length) {
    if (i < one.length && j < two.length && one[i] === two[j]) lines.push([" ", one[i++]]), j++;
    else if (j < two.length && (i === one.length || same[i * width + j + 1] > same[(i + 1) * width + j])) lines.push(["+", two[j++]]);
    else lines.push(["-", one[i++]]);
  }
  return lines;
}

const COLOURS = { "+": "add", "-": "cut" };

export const diffLines = (lines) => el("pre", { className: "diff", tabIndex: 0, role: "region", "aria-label": "Difference" }, lines.map(([mark, line]) => el("span", { className: COLOURS[mark] }, `${mark} ${line}`)));

// Lines that already begin with their mark, as a tool's preview has them.
export const marked = (text) => el("pre", { className: "diff", tabIndex: 0, role: "region", "aria-label": "Preview" }, text.split("\n").map((line) => el("span", { className: COLOURS[line[0]] }, line)));

export const code = (text, label) => el("pre", { tabIndex: 0, role: "region", "aria-label": label }, text);

// A button that copies a text, and says so.
export function copyButton(label, text) {
  const button = el("button", { type: "button", onclick: async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select the text and copy it";
    }
    setTimeout(() => { button.textContent = label; }, 2000);
  } }, label);
  return button;
}
