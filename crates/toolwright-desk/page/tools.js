// The list of tools, and one tool: for a person, and as each model gets it.

import { api, code, el, fill } from "./dom.js";
import { parts, words } from "./form.js";

let section, list, chosen, drawn, detail, box, choice;

export const permissionTag = (permission) => el("span", { className: `tag ${permission}` }, permission.replace("_", " "));

// A list with a search.
export function chooser(box, view) {
  const buttons = new Map();
  let current, list = [];
  const search = el("input", { type: "search", placeholder: "Search", "aria-label": "Search tools", oninput: () => draw() });
  const items = el("ul", { className: "list" });
  const count = el("p", { className: "quiet", role: "status" });
  const mark = (name) => {
    buttons.get(current)?.removeAttribute("aria-current");
    current = name;
    buttons.get(name)?.setAttribute("aria-current", "true");
  };
  const draw = () => {
    const wanted = search.value.toLowerCase();
    const found = list.filter((tool) => `${tool.name} ${tool.title ?? ""} ${tool.description}`.toLowerCase().includes(wanted));
    count.textContent = found.length === list.length ? `${list.length} tools` : `${found.length} of ${list.length} tools`;
    buttons.clear();
    fill(items, found.map((tool) => {
      const button = el("button", { type: "button", onclick: () => { location.hash = `${view}/${encodeURIComponent(tool.name)}`; } }, tool.name, el("small", {}, tool.description));
      buttons.set(tool.name, button);
      return el("li", {}, button);
    }));
    mark(current);
  };
  fill(box, search, count, items);
  return { mark, replace: (tools) => { list = tools; draw(); } };
}

export function start(made) {
  section = made;
  box = el("div");
  detail = el("article", { "aria-live": "off" });
  fill(section, el("div", { className: "two" }, box, detail));
  choice = chooser(box, "tools");
}

export function replace(tools) {
  list = tools;
  choice.replace(list);
}

// The tool of a name, or the first, and all about it; or why there is none.
export function find(list, name) {
  const tool = name ? list.find((tool) => tool.name === name) : list[0];
  return [tool, tool ? JSON.stringify(tool) : name ? `${name} is not there.` : "There are no tools."];
}

export async function show(name) {
  const [tool, now] = find(list, name || chosen);
  if (now === drawn) return;
  drawn = now;
  if (tool) chosen = tool.name;
  choice.mark(chosen);
  if (!tool) return fill(detail, el("p", {}, now));
  const full = await api("tool", { tool: tool.name });
  if (drawn !== now) return;
  const written = el("div");
  const dialect = el("select", { id: "dialect", onchange: () => write(tool.name, dialect.value, written) },
    full.dialects.map((one) => el("option", { value: one.dialect }, one.dialect)));
  fill(detail,
    el("h2", {}, tool.title ? `${tool.title} (${tool.name})` : tool.name),
    el("p", {}, permissionTag(tool.permission),
      tool.idempotent && el("span", { className: "tag" }, "idempotent"),
      tool.open_world && el("span", { className: "tag" }, "reaches outside"),
      el("a", { href: `#try/${encodeURIComponent(tool.name)}` }, "Try it")),
    el("p", { className: "text" }, tool.description),
    el("h3", {}, "Parameters"), tree(full.tree),
    el("h3", {}, "As a model gets it"),
    el("p", { className: "row" }, el("label", { htmlFor: "dialect" }, "Dialect"), dialect),
    written,
    el("h3", {}, "In every dialect"),
    el("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": "Sizes in every dialect" }, el("table", {},
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Dialect"), ["Bytes", "Tokens, about", "Errors", "Warnings"].map((name) => el("th", { scope: "col", className: "n" }, name)))),
      el("tbody", {}, full.dialects.map((one) => el("tr", {},
        el("th", { scope: "row" }, one.dialect === one.written_as ? one.dialect : `${one.dialect} (as ${one.written_as})`),
        el("td", { className: "n" }, one.bytes), el("td", { className: "n" }, one.tokens),
        el("td", { className: one.errors ? "n bad" : "n" }, one.errors), el("td", { className: one.warnings ? "n warn" : "n" }, one.warnings)))))));
  write(tool.name, dialect.value, written);
}

async function write(tool, dialect, box) {
  const one = await api("schema", { tool, dialect });
  fill(box,
    el("p", { className: "quiet" }, `${one.bytes} bytes, about ${one.tokens} tokens`, one.written_as !== one.dialect && `, written as ${one.written_as}`),
    one.lint.map((lint) => el("p", { className: lint.severity === "error" ? "fault" : "warn" }, `${lint.severity}: ${lint.path || "/"}: ${lint.message}`)),
    code(one.text, "Schema"),
    one.output && [el("p", { className: "quiet" }, "Output"), code(one.output, "Schema of the output")]);
}

function tree(node) {
  const inside = parts(node);
  if (inside.length === 0) return el("p", { className: "quiet" }, "Takes nothing.");
  return el("dl", { className: "tree" }, inside.map(([name, part, required, description]) => {
    const more = parts(part);
    const text = part.kind === "unit" ? description ?? "" : words(part);
    return [el("dt", {}, name, required && el("small", { className: "warn" }, " required")),
      el("dd", {}, el("small", {}, text), (part.description || (part.kind !== "unit" && description)) && el("div", { className: "text" }, part.description ?? description), more.length > 0 && tree(part))];
  }));
}
