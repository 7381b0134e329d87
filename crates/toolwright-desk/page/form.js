// A form from the tree of a schema. It checks nothing itself: the desk's reader tells every fault.

import { el, newId, visible } from "./dom.js";

const RAW = typeof JSON.rawJSON === "function";
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;

// Reads JSON and keeps the digits of numbers.
export const parse = (text) => JSON.parse(text, (_, value, context) => (RAW && typeof value === "number" && context?.source !== undefined ? JSON.rawJSON(context.source) : value));

const digits = (value) => (RAW && JSON.isRawJSON(value) ? value.rawJSON : String(value));
const isNumber = (value) => typeof value === "number" || (RAW && JSON.isRawJSON(value));
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !isNumber(value);
const own = (value, key) => Object.hasOwn(value, key);

// What a person reads of a node: its form and its rules.
export function words(node) {
  const out = [];
  const range = (min, max, unit) => {
    if (min !== undefined && max !== undefined) out.push(min === max ? `exactly ${min}${unit}` : `${min} to ${max}${unit}`);
    else if (min !== undefined) out.push(`at least ${min}${unit}`);
    else if (max !== undefined) out.push(`at most ${max}${unit}`);
  };
  const names = { any: "any JSON", boolean: "true or false", integer: "integer", number: "number", text: "text", list: "list", tuple: "list, one item for each place", map: "map", object: "object", union: "one of several forms" };
  out.push(node.form || names[node.kind]);
  if (node.kind === "integer" || node.kind === "number") range(node.min, node.max, "");
  if (node.multiple_of) out.push(`a multiple of ${node.multiple_of}`);
  range(node.min_length, node.max_length, " characters");
  range(node.min_items, node.max_items, " items");
  if (node.unique) out.push("none twice");
  if (node.pattern) out.push(`matches ${node.pattern}`);
  if (node.choices) out.push(`one of ${node.choices.map((choice) => choice.name ?? choice).join(", ")}`);
  if (node.closed) out.push("no other keys");
  if (node.nullable) out.push("or null");
  if (node.default) out.push(`default ${node.default}`);
  if (node.example) out.push(`such as ${node.example}`);
  if (node.secret) out.push("secret");
  if (node.secret_ref) out.push("takes a secret by its name");
  return out.join(", ");
}

// The parts of a node with their names, for the tree that a person reads.
export function parts(node) {
  switch (node.kind) {
    case "list": return [["each item", node.items]];
    case "tuple": return node.items.map((item, at) => [`item ${at + 1}`, item]);
    case "map": return [[node.keys ? `each of ${node.keys.map((key) => key.name).join(", ")}` : "each value", node.values]];
    case "object": return [...node.fields.map((field) => [field.name, field.schema, field.required]), ...(node.extra ? [["any other key", node.extra]] : [])];
    case "union": return node.variants.map((variant) => [variant.name, variant.content ?? { kind: "unit" }, undefined, variant.description]);
    default: return [];
  }
}

const SCALAR = new Set(["boolean", "integer", "number", "text", "any"]);

// A form for arguments. `read` gives them as JSON text, `show` puts faults beside their fields.
export function form(tree, value, changed) {
  const places = new Map();
  const root = node(tree, value === undefined ? {} : value, "", { places, changed, label: "Arguments" });
  const summary = el("div", { className: "fault", role: "status", "aria-live": "polite" });
  const fault = el("p", { className: "fault" });
  places.set("", { fault, inputs: [] });
  return {
    el: el("div", { className: "form" }, root.el, fault, summary),
    read: () => JSON.stringify(root.read() ?? Object.create(null)),
    show: (faults) => {
      for (const { fault, inputs } of places.values()) {
        fault.textContent = "";
        for (const input of inputs) input.removeAttribute("aria-invalid");
      }
      for (const { place, text } of faults) {
        let at = place;
        while (at !== "" && !(places.has(at) && places.get(at).fault.isConnected)) at = at.slice(0, at.lastIndexOf("/"));
        const found = places.get(at);
        found.fault.textContent += `${found.fault.textContent ? "\n" : ""}${visible(text)}`;
        for (const input of found.inputs) input.setAttribute("aria-invalid", "true");
      }
      summary.textContent = faults.length === 0 ? "" : faults.length === 1 ? "1 fault" : `${faults.length} faults`;
    },
  };
}

const below = (place, key) => `${place}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;

function node(schema, value, place, cx) {
  // A value that does not have the form of its schema is shown as JSON, so that nothing is lost.
  if (value === null) return any(schema, value, place, cx);
  const make = { boolean, integer: number, number, text, list, tuple, map, object, union }[schema.kind] ?? any;
  return make(schema, value, place, cx);
}

// A field with a name, its faults, and where it may be absent or null a choice of that.
function field(name, schema, value, place, cx, optional) {
  const label = newId();
  const fault = el("p", { className: "fault", id: newId() });
  const describes = newId();
  const holder = el("div", { className: "value" });
  const inputs = [];
  cx.places.set(place, { fault, inputs });
  const inner = { ...cx, label: name, inputs, labelled: label, described: `${describes} ${fault.id}` };
  let state = value === undefined ? (optional ? "absent" : "set") : value === null && schema.nullable ? "null" : "set";
  const scalar = SCALAR.has(schema.kind);
  let part;
  const build = (value) => {
    inputs.length = 0;
    part = node(schema, value, place, { ...inner, changed: () => { if (scalar && state !== "set") setState("set"); cx.changed(); } });
    holder.replaceChildren(part.el);
  };
  const box = el("div", { className: "field" });
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
    choice = el("select", { "aria-label": `Presence of ${visible(name)}`, onchange: () => { setState(choice.value); cx.changed(); } },
      optional && el("option", { value: "absent" }, "not set"),
      el("option", { value: "set" }, "set"),
      schema.nullable && el("option", { value: "null" }, "null"));
  }
  if (state === "set" || scalar) build(state === "null" ? undefined : value);
  setState(state);
  const head = scalar ? el("label", { id: label, htmlFor: part.id }, name) : el("span", { id: label, className: "name" }, name);
  box.append(el("div", { className: "row" }, head, el("small", {}, schema.kind === "object" && !schema.nullable ? "" : words(schema)), choice ?? "", !optional && el("small", { className: "warn" }, "required")),
    el("div", { id: describes, className: "text quiet" }, schema.description ?? ""), holder, fault);
  return { el: box, read: () => (state === "absent" ? undefined : state === "null" ? null : part.read()) };
}

const register = (cx, input) => {
  cx.inputs?.push(input);
  if (cx.described) input.setAttribute("aria-describedby", cx.described);
  if (!cx.labelled) input.setAttribute("aria-label", visible(cx.label));
  return input;
};

function select(options, value, cx, none) {
  const input = el("select", { id: newId(), onchange: cx.changed });
  if (none) input.append(el("option", { value: "" }, "—"));
  options.forEach(([label, title], at) => input.append(el("option", { value: String(at), title: title && visible(title) }, label)));
  if (value >= 0) input.value = String(value);
  return register(cx, input);
}

function boolean(_, value, place, cx) {
  if (value !== undefined && typeof value !== "boolean") return any(_, value, place, cx);
  const input = select([["true"], ["false"]], value === undefined ? -1 : value ? 0 : 1, cx, true);
  return { el: input, id: input.id, read: () => ({ 0: true, 1: false })[input.value] };
}

function number(schema, value, place, cx) {
  const given = value === undefined ? "" : isNumber(value) ? digits(value) : value;
  if (typeof given !== "string" || /[\r\n]/.test(given)) return any(schema, value, place, cx);
  if (schema.choices) {
    const at = schema.choices.indexOf(given);
    if (at >= 0 || given === "") {
      const input = select(schema.choices.map((choice) => [choice]), at, cx, true);
      return { el: input, id: input.id, read: () => (input.value === "" ? undefined : asNumber(schema.choices[input.value])) };
    }
  }
  const input = register(cx, el("input", { id: newId(), type: "text", inputMode: "decimal", autocomplete: "off", value: given, oninput: cx.changed }));
  return { el: input, id: input.id, read: () => (input.value.trim() === "" ? undefined : asNumber(input.value.trim())) };
}

// What is not a number goes to the reader as it was typed.
const asNumber = (text) => (NUMBER.test(text) ? (RAW ? JSON.rawJSON(text) : Number(text)) : text);

const REFERENCE = /^<secret_ref:([^<>]*)>$/;

function text(schema, value, place, cx) {
  if (value !== undefined && (typeof value !== "string" || value.includes("\r"))) return any(schema, value, place, cx);
  if (schema.choices) {
    const at = schema.choices.findIndex((choice) => choice.name === value);
    if (at >= 0 || value === undefined) {
      const input = select(schema.choices.map((choice) => [choice.name, choice.description]), at, cx, true);
      return { el: input, id: input.id, read: () => (input.value === "" ? undefined : schema.choices[input.value].name) };
    }
  }
  let touched = value !== undefined || cx.present;
  const named = schema.secret_ref ? REFERENCE.exec(value ?? "") : null;
  const change = () => { touched = true; cx.changed(); };
  // A secret may have several lines, which a password field would drop.
  const input = el("textarea", { id: newId(), rows: 1, spellcheck: false, autocomplete: "off", className: schema.secret ? "secret" : "", value: named ? named[1] : value ?? "", oninput: change });
  register(cx, input);
  if (!schema.secret_ref) return { el: input, id: input.id, touch: () => { touched = true; }, read: () => (touched ? input.value : undefined) };
  const box = el("input", { id: newId(), type: "checkbox", checked: named !== null, onchange: change });
  return {
    el: el("div", {}, input, el("div", { className: "row" }, box, el("label", { htmlFor: box.id }, "this is the name of a secret"))),
    id: input.id,
    touch: () => { touched = true; },
    read: () => (!touched ? undefined : box.checked ? `<secret_ref:${input.value}>` : input.value),
  };
}

// Any JSON. What is not JSON is a text. It also shows what other fields would not hold: a carriage return is
// written out in JSON, and a field of the browser makes it a line feed.
function any(_, value, __, cx) {
  const input = register(cx, el("textarea", { id: newId(), rows: 1, spellcheck: false, placeholder: "JSON, or a text", value: value === undefined ? "" : JSON.stringify(value, null, 1), oninput: cx.changed }));
  return {
    el: input,
    id: input.id,
    read: () => {
      if (input.value.trim() === "") return undefined;
      try { return parse(input.value); } catch { return input.value; }
    },
  };
}

// Rows that can be added and taken away.
function rows(cx, label, make, read) {
  let list = [];
  const box = el("div", { className: "inside", role: "group", "aria-label": visible(label) });
  const add = (...given) => {
    const row = make(list.length, ...given);
    const remove = el("button", { type: "button", "aria-label": `Remove from ${visible(label)}`, onclick: () => {
      // The rows behind it move up, and their faults with them.
      const kept = list.filter((other) => other !== row).map((other) => other.given());
      list = [];
      box.replaceChildren(more);
      for (const given of kept) add(...given);
      more.focus();
      cx.changed();
    } }, "✕");
    list.push(row);
    more.before(el("div", { className: "row top" }, el("div", { className: "grow" }, row.el), remove));
  };
  const more = el("button", { type: "button", onclick: () => { add(); cx.changed(); } }, `Add to ${visible(label)}`);
  box.append(more);
  return { el: box, add, read: () => read(list) };
}

function list(schema, value, place, cx) {
  if (value !== undefined && !Array.isArray(value)) return any(schema, value, place, cx);
  const made = rows(cx, cx.label, (at, given) => {
    const item = field(`${cx.label} ${at + 1}`, schema.items, given, below(place, at), { ...cx, present: true }, false);
    return { ...item, given: () => [item.read()] };
  }, (items) => items.map((item) => item.read() ?? null));
  for (const item of value ?? []) made.add(item);
  return made;
}

function tuple(schema, value, place, cx) {
  if (value !== undefined && (!Array.isArray(value) || value.length > schema.items.length)) return any(schema, value, place, cx);
  const items = schema.items.map((item, at) => field(`${cx.label} ${at + 1}`, item, value?.[at], below(place, at), { ...cx, present: true }, false));
  return { el: el("div", { className: "inside", role: "group", "aria-label": visible(cx.label) }, items.map((item) => item.el)), read: () => items.map((item) => item.read() ?? null) };
}

function map(schema, value, place, cx) {
  if (value !== undefined && (!isObject(value) || Object.keys(value).some((key) => key.includes("\r")))) return any(schema, value, place, cx);
  const made = rows(cx, cx.label, (_, key, given) => {
    const known = schema.keys?.map((key) => key.name);
    let at = key ?? "";
    const part = el("div", { className: "value" });
    const inputs = [];
    const fault = el("p", { className: "fault" });
    const inner = { ...cx, inputs, labelled: undefined, described: undefined, present: true, label: `Value in ${cx.label}` };
    const value = node(schema.values, given, below(place, at), inner);
    part.append(value.el, fault);
    const register = () => cx.places.set(below(place, at), { fault, inputs });
    register();
    const name = known && (key === undefined || known.includes(key))
      ? el("select", { "aria-label": visible(`Key in ${cx.label}`) }, known.map((name) => el("option", { value: name }, name)))
      : el("textarea", { rows: 1, spellcheck: false, "aria-label": visible(`Key in ${cx.label}`) });
    if (key !== undefined) name.value = key;
    at = name.value;
    name.addEventListener("input", () => { at = name.value; register(); cx.changed(); });
    return { el: el("div", {}, name, part), key: () => name.value, read: value.read, given: () => [name.value, value.read()] };
  }, (entries) => {
    const out = Object.create(null);
    for (const entry of entries) out[entry.key()] = entry.read() ?? null;
    return out;
  });
  for (const key of Object.keys(value ?? {})) made.add(key, value[key]);
  return made;
}

function object(schema, value, place, cx) {
  if (value !== undefined && !isObject(value)) return any(schema, value, place, cx);
  const known = new Set(schema.fields.map((one) => one.name));
  const fields = schema.fields.map((one) => [one.name, field(one.name, one.schema, value && own(value, one.name) ? value[one.name] : undefined, below(place, one.name), { ...cx, present: false, tag: undefined }, !one.required)]);
  const rest = Object.create(null);
  for (const key of Object.keys(value ?? {})) if (!known.has(key) && key !== cx.tag) rest[key] = value[key];
  const extra = schema.extra && map({ kind: "map", values: schema.extra }, rest, place, { ...cx, label: "other keys" });
  const others = !extra && Object.keys(rest).length > 0;
  const box = el(place === "" ? "div" : "div", { className: place === "" ? "" : "inside", role: "group", "aria-label": visible(cx.label) },
    fields.map(([, part]) => part.el), extra?.el ?? "",
    others ? el("p", { className: "quiet" }, `Kept as they are: ${Object.keys(rest).join(", ")}`) : "",
    fields.length === 0 && !extra ? el("p", { className: "quiet" }, "Nothing to fill in.") : "");
  return {
    el: box,
    read: () => {
      const more = extra ? extra.read() : rest;
      const out = Object.assign(Object.create(null), isObject(more) ? more : rest);
      for (const [name, part] of fields) {
        const value = part.read();
        if (value !== undefined) out[name] = value;
      }
      return out;
    },
  };
}

// Whether a value has the form of a schema, to find the variant that it is.
const fits = (schema, value) => {
  if (schema && value === null) return schema.nullable || schema.kind === "any";
  switch (schema?.kind) {
    case "text": return typeof value === "string" && (!schema.choices || schema.choices.some((choice) => choice.name === value));
    case "boolean": return typeof value === "boolean";
    case "integer": case "number": return isNumber(value);
    case "list": return Array.isArray(value) && value.every((item) => fits(schema.items, item));
    case "tuple": return Array.isArray(value) && value.length === schema.items.length && value.every((item, at) => fits(schema.items[at], item));
    case "object": return isObject(value) && schema.fields.every((one) => (own(value, one.name) ? fits(one.schema, value[one.name]) : !one.required));
    case "map": return isObject(value) && Object.values(value).every((item) => fits(schema.values, item));
    case undefined: return value === null;
    default: return true;
  }
};

function union(schema, value, place, cx) {
  const { tagging, variants } = schema;
  const unpack = {
    external: () => (typeof value === "string" ? [value] : isObject(value) && Object.keys(value).length === 1 ? [Object.keys(value)[0], Object.values(value)[0]] : []),
    internal: () => (isObject(value) ? [value[tagging.tag], value] : []),
    adjacent: () => (isObject(value) ? [value[tagging.tag], value[tagging.content]] : []),
    none: () => [variants.find((variant) => fits(variant.content, value))?.name, value],
  };
  const [name, content] = value === undefined ? [] : unpack[tagging.kind]();
  let at = variants.findIndex((variant) => variant.name === name);
  if (value !== undefined && at < 0) return any(schema, value, place, cx);
  const holder = el("div");
  const inner = { external: (variant) => below(place, variant.name), adjacent: () => below(place, tagging.content) }[tagging.kind] ?? (() => place);
  let part;
  const build = (given) => {
    const variant = variants[at];
    part = undefined;
    holder.replaceChildren();
    if (!variant) return;
    if (variant.description) holder.append(el("div", { className: "text quiet" }, variant.description));
    if (variant.content) {
      const fault = el("p", { className: "fault" });
      const inputs = [];
      const under = inner(variant);
      if (under !== place) cx.places.set(under, { fault, inputs });
      part = node(variant.content, given, under, { ...cx, inputs: under === place ? cx.inputs : inputs, labelled: undefined, label: variant.name, tag: tagging.tag });
      holder.append(part.el, fault);
    }
  };
  const choice = select(variants.map((variant) => [variant.name, variant.description]), at, { ...cx, labelled: undefined, changed: () => {
    at = choice.value === "" ? -1 : Number(choice.value);
    build(undefined);
    cx.changed();
  } }, true);
  choice.setAttribute("aria-label", visible(`Form of ${cx.label}`));
  build(content);
  return {
    el: el("div", { className: "inside" }, choice, holder),
    read: () => {
      const variant = variants[at];
      if (!variant) return undefined;
      const inside = part?.read();
      const out = Object.create(null);
      switch (tagging.kind) {
        case "external":
          if (!variant.content) return variant.name;
          out[variant.name] = inside ?? null;
          return out;
        case "internal":
          out[tagging.tag] = variant.name;
          return Object.assign(out, inside);
        case "adjacent":
          out[tagging.tag] = variant.name;
          if (variant.content && inside !== undefined) out[tagging.content] = inside;
          return out;
        default:
          return variant.content ? inside : null;
      }
    },
  };
}
