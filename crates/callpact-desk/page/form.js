// A form from the tree of a schema. It checks nothing itself: the desk's reader tells every fault.

import { RAW, button, el, isNumber, isObject, newId, parse, typed, visible } from "./dom.js";

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;

const digits = (value) => (RAW && JSON.isRawJSON(value) ? value.rawJSON : String(value));
const own = (value, key) => Object.hasOwn(value, key);

// The arguments of a text, or why no form can show them.
export function parseArguments(text) {
  let value;
  try { value = parse(text); } catch { throw new Error("This is not JSON yet, so no form can show it."); }
  if (!isObject(value)) throw new Error("The arguments of a tool are an object.");
  // Of two equal keys, a form would show the last.
  const written = [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter((one) => one[1]).length;
  let kept = -1;
  JSON.parse(text, function (_, one) { kept += !Array.isArray(this); return one; });
  if (written > kept) throw new Error("A key is given twice, so no form can show it.");
  return value;
}

const SCALAR = new Set(["boolean", "integer", "number", "text", "any"]);

// A form for arguments. `read` gives them as JSON text, `show` puts faults beside their fields. It is quiet about a field
// until somebody has left it, or until `complain`.
export function form(tree, value, changed, left = () => {}) {
  const places = new Map();
  const gaps = new Map();
  const touched = new Set();
  let loud = false, found = [];
  const root = node(tree, value === undefined ? {} : value, "", { places, gaps, changed, label: "Arguments" });
  const fault = el("p.fault", { role: "status" });
  places.set("", { fault, inputs: [] });
  const nearest = (place) => {
    let at = place;
    while (at !== "" && !(places.has(at) && places.get(at).fault.isConnected)) at = at.slice(0, at.lastIndexOf("/"));
    return at;
  };
  const draw = () => {
    const words = new Map();
    for (const { place, text } of found) {
      const at = nearest(place);
      if (!loud && !touched.has(at)) continue;
      words.set(at, `${words.has(at) ? `${words.get(at)}\n` : ""}${visible(text)}`);
    }
    for (const [place, { fault, inputs }] of places) {
      const text = words.get(place) ?? "";
      if (fault.textContent !== text) fault.textContent = text;
      for (const input of inputs) text ? input.setAttribute("aria-invalid", "true") : input.removeAttribute("aria-invalid");
    }
  };
  const box = el("div.form", root.el, fault);
  const touch = ({ target }) => {
    for (const [place, { owns }] of places) if (owns?.(target)) touched.add(place);
    draw();
    left();
  };
  box.addEventListener("focusout", touch);
  box.addEventListener("change", touch);
  return {
    el: box,
    read: () => { gaps.clear(); return JSON.stringify(root.read() ?? Object.create(null)); },
    // What no reader sees: fields that are set and empty, and keys that are there twice.
    gaps: () => [...gaps].map(([place, text]) => ({ place, text })),
    show: (faults) => { found = faults; draw(); },
    complain: () => { loud = true; draw(); },
    // Goes to the first field with a fault.
    lead: () => {
      const at = found.map(({ place }) => places.get(nearest(place))).find(Boolean);
      (at?.inputs[0] ?? box.querySelector("input, textarea, select, button"))?.focus();
    },
  };
}

const below = (place, key) => `${place}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;

// Whether the field of a schema can hold a value, whatever is inside of it.
function holds(schema, value) {
  switch (schema.kind) {
    case "boolean": return typeof value === "boolean";
    case "integer": case "number": return isNumber(value) || (typeof value === "string" && !/[\r\n]/.test(value));
    case "text": return typeof value === "string" && !value.includes("\r");
    case "list": return Array.isArray(value);
    case "tuple": return Array.isArray(value) && value.length <= schema.items.length;
    case "map": case "object": return isObject(value) && !Object.keys(value).some((key) => key.includes("\r"));
    default: return true;
  }
}

function node(schema, value, place, cx) {
  // A value without the form of its schema is shown as JSON, so nothing is lost.
  const fitting = value === undefined || (value !== null && holds(schema, value));
  const make = fitting && { boolean, integer: number, number, text, list, tuple, map, object, union }[schema.kind];
  return (make || any)(schema, value, place, cx);
}

// A field with a name, its faults, and where it may be absent or null a choice of that.
function field(name, schema, value, place, cx, optional) {
  const label = newId();
  const fault = el("p.fault", { id: newId() });
  const describes = newId();
  const holder = el("div.value");
  const inputs = [];
  const box = el("div.field");
  const owns = (target) => inputs.includes(target) || target === choice || (!scalar && holder.contains(target));
  cx.places.set(place, { fault, inputs, owns });
  const inner = { ...cx, label: name, inputs, labelled: label, described: `${describes} ${fault.id}` };
  let state = value === undefined ? (optional ? "absent" : "set") : value === null && schema.nullable ? "null" : "set";
  const scalar = SCALAR.has(schema.kind);
  let part;
  const build = (value) => {
    inputs.length = 0;
    part = node(schema, value, place, { ...inner, changed: () => { if (scalar && state !== "set") setState("set"); cx.changed(); } });
    holder.replaceChildren(part.el);
  };
  let choice;
  const setState = (next) => {
    const before = state;
    state = next;
    if (choice) choice.value = next;
    box.classList.toggle("absent", next !== "set");
    if (!part && (scalar || next === "set")) build(undefined);
    else if (before !== "set" && next === "set") part.touch?.();
    if (!scalar) holder.hidden = next !== "set";
  };
  if (optional || schema.nullable) {
    choice = el("select", { "aria-label": `Presence of ${name}`, onchange: () => { setState(choice.value); cx.changed(); } },
      optional && el("option", { value: "absent" }, "not set"),
      el("option", { value: "set" }, "set"),
      schema.nullable && el("option", { value: "null" }, "null"));
  }
  if (state === "set" || scalar) build(state === "null" ? undefined : value);
  setState(state);
  const head = scalar ? el("label", { id: label, htmlFor: part.id }, name) : el("span.name", { id: label }, name);
  // A control shows by itself that it takes a text or a list.
  const plain = schema.words === "text" || schema.kind === "object" || schema.words === "list";
  const words = [!plain && schema.words, optional && !/\bdefault /.test(schema.words ?? "") && "optional"].filter(Boolean).join(", ");
  box.append(el("div.label", head, el("span.hint", words), choice ?? ""),
    el("div.about", { id: describes }, schema.description ?? ""), holder, fault);
  const read = () => {
    if (state !== "set") return state === "null" ? null : undefined;
    const value = part.read();
    if (choice && (value === undefined || (value === "" && schema.form))) cx.gaps.set(place, `${name}: set, but there is no value yet; expected ${schema.words}`);
    return value;
  };
  // The key of a map is another one now.
  const move = (next) => { cx.places.delete(place); place = next; cx.places.set(place, { fault, inputs, owns }); };
  return { el: box, read, move };
}

// What every input of a field has.
const known = (cx) => ({ id: newId(), "aria-describedby": cx.described, "aria-label": !cx.labelled && cx.label });

function write(cx, tag, props) {
  const made = typed(tag, { ...known(cx), oninput: cx.changed, ...props });
  cx.inputs?.push(made.input);
  return { ...made, id: made.input.id };
}

// A choice among options with a name and perhaps a description, or of none.
function select(options, at, cx) {
  const input = el("select", { ...known(cx), onchange: cx.changed }, el("option", { value: "" }, "—"),
    options.map(({ name, description }, at) => el("option", { value: String(at), title: description && visible(description) }, name)));
  if (at >= 0) input.value = String(at);
  cx.inputs?.push(input);
  return input;
}

// The choices of a schema, unless it has none or the value is none of them.
function choose({ choices }, value, cx, as) {
  const at = choices?.findIndex((choice) => choice.name === value);
  if (!choices || (at < 0 && value !== undefined)) return undefined;
  const input = select(choices, at, cx);
  return { el: input, id: input.id, read: () => (input.value === "" ? undefined : as(choices[input.value].name)) };
}

const boolean = (_, value, __, cx) => choose({ choices: [{ name: "true" }, { name: "false" }] }, value?.toString(), cx, (name) => name === "true");

function number(schema, value, place, cx) {
  const given = isNumber(value) ? digits(value) : value;
  const chosen = choose(schema, given, cx, asNumber);
  if (chosen) return chosen;
  const made = write(cx, "input", { type: "text", inputMode: "decimal", value: given ?? "" });
  return { ...made, read: () => (made.input.value.trim() === "" ? undefined : asNumber(made.input.value.trim())) };
}

// What is not a number goes to the reader as it was typed.
const asNumber = (text) => (NUMBER.test(text) ? (RAW ? JSON.rawJSON : Number)(text) : text);

const REFERENCE = /^<secret_ref:([^<>]*)>$/;

function text(schema, value, place, cx) {
  const chosen = choose(schema, value, cx, String);
  if (chosen) return chosen;
  let touched = value !== undefined || cx.present;
  const named = schema.secret_ref ? REFERENCE.exec(value ?? "") : null;
  const change = () => { touched = true; cx.changed(); };
  // A secret may have several lines, which a password field would drop.
  const made = write(cx, "textarea", { rows: 1, secret: schema.secret || schema.secret_ref, className: schema.secret ? "secret-input" : "", value: named ? named[1] : value ?? "", oninput: change });
  const { input } = made;
  const touch = () => { touched = true; };
  if (!schema.secret_ref) return { ...made, touch, read: () => (touched ? input.value : undefined) };
  const box = el("input", { id: newId(), type: "checkbox", checked: named !== null, onchange: change });
  return {
    el: el("div", made.el, el("div.check", box, el("label", { htmlFor: box.id }, "this is the name of a secret"))),
    id: made.id,
    touch,
    read: () => (!touched ? undefined : box.checked ? `<secret_ref:${input.value}>` : input.value),
  };
}

// Any JSON. What is not JSON is a text. It also shows what other fields would not hold, such as a carriage return.
function any(_, value, __, cx) {
  const made = write(cx, "textarea", { rows: 1, placeholder: "JSON, or a text", value: value === undefined ? "" : JSON.stringify(value, null, 1) });
  return {
    ...made,
    read: () => {
      const text = made.input.value;
      if (text.trim() === "") return undefined;
      try { return parse(text); } catch { return text; }
    },
  };
}

// Rows that can be added and taken away.
function rows(cx, label, make, read) {
  let list = [];
  const box = el("div.inside", { role: "group", "aria-label": label });
  const add = (...given) => {
    const row = make(list.length, ...given);
    const remove = button("", () => {
      // The rows behind it move up, and their faults with them.
      const kept = list.filter((other) => other !== row).map((other) => other.given());
      list = [];
      box.replaceChildren(more);
      for (const given of kept) add(...given);
      more.focus();
      cx.changed();
    }, ".square.plain", null, "x");
    remove.ariaLabel = visible(`Remove from ${label}`);
    list.push(row);
    more.before(el("div.line", row.el, remove));
  };
  const more = button(`Add to ${label}`, () => { add(); list.at(-1).el.querySelector("input, textarea, select")?.focus(); cx.changed(); }, ".mini", null, "plus");
  box.append(more);
  return { el: box, add, read: () => read(list) };
}

function list(schema, value, place, cx) {
  const made = rows(cx, cx.label, (at, given) => {
    const item = field(`${cx.label} ${at + 1}`, schema.items, given, below(place, at), { ...cx, present: true }, false);
    return { ...item, given: () => [item.read()] };
  }, (items) => items.map((item) => item.read() ?? null));
  for (const item of value ?? []) made.add(item);
  return made;
}

function tuple(schema, value, place, cx) {
  const items = schema.items.map((item, at) => field(`${cx.label} ${at + 1}`, item, value?.[at], below(place, at), { ...cx, present: true }, false));
  return { el: el("div.inside", { role: "group", "aria-label": cx.label }, items.map((item) => item.el)), read: () => items.map((item) => item.read() ?? null) };
}

function put(out, key, value, place, cx) {
  if (own(out, key)) cx.gaps.set(place, `the key ${key} is there twice`);
  out[key] = value;
}

function map(schema, value, place, cx) {
  const made = rows(cx, cx.label, (_, key, given) => {
    const known = schema.keys?.map((key) => key.name);
    const label = `Key in ${cx.label}`;
    const name = known && (key === undefined || known.includes(key))
      ? el("select", { "aria-label": label }, known.map((name) => el("option", { value: name }, name)))
      : typed("textarea", { rows: 1, "aria-label": label, value: key ?? "" });
    const input = name.input ?? name;
    if (key !== undefined) input.value = key;
    const part = field(`Value in ${cx.label}`, schema.values, given, below(place, input.value), { ...cx, present: true }, false);
    input.addEventListener("input", () => { part.move(below(place, input.value)); cx.changed(); });
    return { el: el("div.part", name.el ?? name, part.el), key: () => input.value, read: part.read, given: () => [input.value, part.read()] };
  }, (entries) => {
    const out = Object.create(null);
    for (const entry of entries) put(out, entry.key(), entry.read() ?? null, place, cx);
    return out;
  });
  for (const key of Object.keys(value ?? {})) made.add(key, value[key]);
  return made;
}

function object(schema, value, place, cx) {
  const known = new Set(schema.fields.map((one) => one.name));
  const fields = schema.fields.map((one) => [one.name, field(one.name, one.schema, value && own(value, one.name) ? value[one.name] : undefined, below(place, one.name), { ...cx, present: false, tag: undefined }, !one.required)]);
  const rest = Object.create(null);
  for (const key of Object.keys(value ?? {})) if (!known.has(key) && key !== cx.tag) rest[key] = value[key];
  const extra = schema.extra && map({ kind: "map", values: schema.extra }, rest, place, { ...cx, label: "other keys" });
  const others = Object.keys(rest).join(", ");
  const box = el(place ? "div.inside" : "div.form", { role: "group", "aria-label": cx.label }, fields.map(([, part]) => part.el), extra?.el,
    !extra && others && el("p.quiet.small", `Kept as they are: ${others}`),
    fields.length === 0 && !extra && el("p.quiet.small", "Nothing to fill in."));
  return {
    el: box,
    read: () => {
      const more = extra ? extra.read() : rest;
      const out = { __proto__: null, ...(isObject(more) ? more : rest) };
      for (const [name, part] of fields) {
        const value = part.read();
        if (value !== undefined) put(out, name, value, place, cx);
      }
      return out;
    },
  };
}

// Whether a value has the form of a schema, to find the variant that it is.
function fits(schema, value) {
  if (!schema) return value === null;
  if (value === null) return schema.nullable || schema.kind === "any";
  if (!holds(schema, value)) return false;
  switch (schema.kind) {
    case "text": return !schema.choices || schema.choices.some((choice) => choice.name === value);
    case "integer": case "number": return isNumber(value);
    case "list": return value.every((item) => fits(schema.items, item));
    case "tuple": return value.length === schema.items.length && value.every((item, at) => fits(schema.items[at], item));
    case "object": return schema.fields.every((one) => (own(value, one.name) ? fits(one.schema, value[one.name]) : !one.required));
    case "map": return Object.values(value).every((item) => fits(schema.values, item));
    default: return true;
  }
}

function union(schema, value, place, cx) {
  const { tagging, variants } = schema;
  const whole = isObject(value) ? value : {};
  const [name, content] = value === undefined ? [] : {
    external: typeof value === "string" ? [value] : Object.entries(whole).length === 1 ? Object.entries(whole)[0] : [],
    internal: [whole[tagging.tag], value],
    adjacent: [whole[tagging.tag], whole[tagging.content]],
    none: [variants.find((variant) => fits(variant.content, value))?.name, value],
  }[tagging.kind];
  let at = variants.findIndex((variant) => variant.name === name);
  if (value !== undefined && at < 0) return any(schema, value, place, cx);
  const holder = el("div");
  let part;
  const build = (given) => {
    const variant = variants[at];
    part = undefined;
    holder.replaceChildren();
    if (!variant) return;
    if (variant.description) holder.append(el("div.text.quiet.small", variant.description));
    if (variant.content) {
      const fault = el("p.fault");
      const inputs = [];
      const key = { external: variant.name, adjacent: tagging.content }[tagging.kind];
      const under = key === undefined ? place : below(place, key);
      if (under !== place) cx.places.set(under, { fault, inputs });
      part = node(variant.content, given, under, { ...cx, inputs: under === place ? cx.inputs : inputs, labelled: undefined, label: variant.name, tag: tagging.tag });
      holder.append(part.el, fault);
    }
  };
  const choice = select(variants, at, { ...cx, labelled: undefined, changed: () => {
    at = choice.value === "" ? -1 : Number(choice.value);
    build(undefined);
    cx.changed();
  }, label: `Form of ${cx.label}` });
  build(content);
  return {
    el: el("div.inside", choice, holder),
    read: () => {
      const variant = variants[at];
      if (!variant) return undefined;
      const inside = part?.read();
      const { name } = variant;
      switch (tagging.kind) {
        case "external": return variant.content ? { [name]: inside ?? null } : name;
        case "internal": return { [tagging.tag]: name, ...inside };
        case "adjacent": return { [tagging.tag]: name, ...(variant.content && inside !== undefined && { [tagging.content]: inside }) };
        default: return variant.content ? inside : null;
      }
    },
  };
}
