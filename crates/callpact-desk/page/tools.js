// The list of tools, and one tool: for a person, and as each model gets it.

import { api, button, code, el, failed, fill, outOf } from "./dom.js";

export const permissionTag = (permission) => el("span", { className: `tag ${permission}` }, permission.replace("_", " "));

// A list with a search.
function chooser(box, view) {
  const buttons = new Map();
  let current, list = [];
  const search = el("input", { type: "search", placeholder: "Search", "aria-label": "Search tools", oninput: () => draw() });
  const items = el("ul.list");
  const count = el("p.quiet", { role: "status" });
  const mark = (name) => {
    const set = (value) => { if (buttons.has(current)) buttons.get(current).ariaCurrent = value; };
    set(null);
    current = name;
    set("true");
  };
  const draw = () => {
    const wanted = search.value.toLowerCase();
    const found = list.filter((tool) => `${tool.name} ${tool.title ?? ""} ${tool.description}`.toLowerCase().includes(wanted));
    count.textContent = outOf(found.length, list.length, "tool");
    buttons.clear();
    fill(items, found.map((tool) => {
      const one = button([tool.name, el("small", tool.description)], () => { location.hash = `${view}/${encodeURIComponent(tool.name)}`; });
      buttons.set(tool.name, one);
      return el("li", one);
    }));
    mark(current);
  };
  fill(box, search, count, items);
  return { mark, replace: (tools) => { list = tools; draw(); } };
}

// A view of one tool beside the list of all. `draw` shows a tool, and `kept` may have what was drawn before.
export function browse(view, draw, kept = () => {}) {
  let list, chosen, drawn, pane, choice;
  const show = async (name) => {
    const wanted = name || chosen;
    const tool = wanted ? list.find((tool) => tool.name === wanted) : list[0];
    const now = tool ? JSON.stringify(tool) : wanted ? `${wanted} is not there.` : "There are no tools.";
    if (now === drawn) return;
    drawn = now;
    if (tool) chosen = tool.name;
    choice.mark(chosen);
    let made = tool ? kept(tool.name, now) : el("p", now);
    try {
      made ??= draw(tool, await api("tool", { tool: tool.name }), now);
    } catch (error) {
      drawn = undefined;
      made = failed(error);
    }
    if (drawn === now || !drawn) fill(pane, made);
  };
  return {
    show,
    again: () => { drawn = undefined; show(); },
    start: (section) => {
      const box = el("div");
      pane = el("article");
      fill(section, el("div.two", box, pane));
      choice = chooser(box, view);
    },
    replace: (tools) => {
      list = tools;
      choice.replace(list);
    },
  };
}

export const { show, start, replace } = browse("tools", (tool, full) => {
  const written = el("div");
  const dialect = el("select", { id: "dialect", onchange: () => write(tool.name, dialect.value, written) },
    full.dialects.map((one) => el("option", { value: one.dialect }, one.dialect)));
  write(tool.name, dialect.value, written);
  return el("div",
    el("h2", tool.title ? `${tool.title} (${tool.name})` : tool.name),
    el("p", permissionTag(tool.permission),
      tool.idempotent && el("span.tag", "idempotent"),
      tool.open_world && el("span.tag", "reaches outside"),
      el("a.main", { href: `#try/${encodeURIComponent(tool.name)}` }, "Try it")),
    el("p.text", tool.description),
    el("h3", "Parameters"), full.parts.length ? tree(full.parts) : el("p.quiet", "Takes nothing."),
    el("h3", "As a model gets it"),
    el("p.row", el("label", { htmlFor: "dialect" }, "Dialect"), dialect),
    written,
    el("h3", "In every dialect"),
    el("div.scroll", { tabIndex: 0, role: "region", "aria-label": "Sizes in every dialect" }, el("table", {},
      el("thead", el("tr", el("th", { scope: "col" }, "Dialect"), ["Bytes", "Tokens, about", "Errors", "Warnings"].map((name) => el("th", { scope: "col", className: "n" }, name)))),
      el("tbody", full.dialects.map((one) => el("tr", {},
        el("th", { scope: "row" }, one.dialect === one.written_as ? one.dialect : `${one.dialect} (as ${one.written_as})`),
        el("td.n", one.bytes), el("td.n", one.tokens),
        el("td", { className: one.errors ? "n bad" : "n" }, one.errors), el("td", { className: one.warnings ? "n warn" : "n" }, one.warnings)))))));
});

async function write(tool, dialect, box) {
  let one;
  try { one = await api("schema", { tool, dialect }); } catch (error) { return fill(box, failed(error)); }
  fill(box,
    el("p.quiet", `${one.bytes} bytes, about ${one.tokens} tokens`, one.written_as !== one.dialect && `, written as ${one.written_as}`),
    one.lint.map((lint) => el("p", { className: lint.severity === "error" ? "fault" : "warn" }, `${lint.severity}: ${lint.path || "/"}: ${lint.message}`)),
    code(one.text, "Schema"),
    one.output && [el("p.quiet", "Output"), code(one.output, "Schema of the output")]);
}

const tree = (parts) => el("dl.tree", parts.map((one) => [
  el("dt", one.name, one.required && el("small.warn", " required")),
  el("dd", el("small", one.words), el("div.text", one.description), one.parts.length > 0 && tree(one.parts))]));
