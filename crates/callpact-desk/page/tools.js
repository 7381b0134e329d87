// The list of tools, and one tool: to try it, and its contract as a person and as each model gets it.

import { EFFECT, api, back, code, effect, effectIcon, effects, el, failed, fill, many, note, part, phone, rove, search } from "./dom.js";
import { tryPage } from "./try.js";

let list = [], section, items, count, pane, split, find, wanted = "", kind = "all";
let chosen, tab = "try", drawn;
const described = new Map();

// What the desk says about a tool, asked once for each version of it.
export function describe(tool) {
  const known = list.find((one) => one.name === tool);
  const key = `${tool} ${known?.schema}`;
  if (!described.has(key)) {
    const asked = api("tool", { tool });
    described.set(key, asked);
    asked.catch(() => described.delete(key));
  }
  return described.get(key);
}

export const toolNamed = (name) => list.find((tool) => tool.name === name);

export function start(box) {
  section = box;
  items = el("div.scroll");
  count = el("span.quiet.small.num", { role: "status" });
  find = search("Search tools", (text) => { wanted = text.toLowerCase(); draw(); });
  pane = el("section.detail", { "aria-label": "Tool" });
  const only = effects((one) => { kind = one; draw(); });
  split = el("div.split",
    el("section.list", { "aria-label": "List of tools" }, el("div.head", el("h1", "Tools"), el("span.spread"), count), el("div.tools-row", find.el, only.el), items), pane);
  split.style.setProperty("--list", "296px");
  fill(section, split);
}

function draw() {
  const hits = list.filter((tool) => (kind === "all" || tool.permission === kind) && `${tool.name} ${tool.title ?? ""} ${tool.description}`.toLowerCase().includes(wanted));
  const groups = new Map();
  for (const tool of hits) {
    const name = tool.server?.name ?? "This program";
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(tool);
  }
  fill(items, [...groups].map(([name, tools]) => [
    el("h2.group", el("span.ell", name), tools[0].server && el("span", "MCP"), el("span.count", String(tools.length))),
    tools.map((tool) => {
      const one = el("a.item.tool", { href: `#${tab}/${encodeURIComponent(tool.name)}` }, effectIcon(tool.permission),
        el("span.t.ell", tool.name, el("span.vh", `, ${EFFECT[tool.permission][1]}`)), el("span.when", `${tool.tokens} tok`), el("span.s.ell", tool.title ?? tool.description));
      one.dataset.tool = tool.name;
      return one;
    })]),
  hits.length === 0 && el("div.empty", el("p", list.length ? "No tool matches." : "There are no tools.")));
  const tokens = list.reduce((sum, tool) => sum + tool.tokens, 0);
  fill(count, hits.length === list.length ? `${many(list.length, "tool")}, ${tokens} tokens` : `${hits.length} of ${many(list.length, "tool")}`);
  mark();
}

function mark() {
  for (const one of items.querySelectorAll(".item")) one.ariaCurrent = one.dataset.tool === chosen ? "true" : null;
  rove(items);
}

export function replace(tools) {
  list = tools;
  draw();
}

export async function show(view, name) {
  tab = view;
  for (const one of items.querySelectorAll(".item")) one.href = `#${tab}/${encodeURIComponent(one.dataset.tool)}`;
  split.toggleAttribute("data-open", Boolean(name));
  const tool = name ? list.find((one) => one.name === name) : phone.matches ? undefined : list.find((one) => one.name === chosen) ?? list[0];
  const now = tool ? JSON.stringify(tool) : name ? `${name} is not there.` : list.length || phone.matches ? "" : "There are no tools.";
  if (tool) chosen = tool.name;
  mark();
  const key = `${view} ${now}`;
  if (key === drawn) return;
  drawn = key;
  if (!tool) return fill(pane, back(view, "Tools"), el("div.empty", el("p", now)));
  let full;
  try {
    full = await describe(tool.name);
  } catch (error) {
    drawn = undefined;
    return fill(pane, back(view, "Tools"), failed(error));
  }
  if (drawn !== key) return;
  const head = el("div.title", el("div", el("div.row.wrap", el("h2", tool.title ?? tool.name), effect(tool.permission), tool.title && el("code.quiet", tool.name)), el("p.text", tool.description, tool.server && el("span.quiet", ` Said by the server “${tool.server.name}”.`))));
  const tabs = el("nav.tabs", { "aria-label": "Parts of the tool" }, [["try", "Try"], ["tools", "Contract"]].map(([id, title]) => el("a", { href: `#${id}/${encodeURIComponent(tool.name)}`, "aria-current": id === view && "page" }, title)));
  const page = view === "try" ? tryPage(tool, full.tree, now) : undefined;
  fill(pane, back(view, "Tools"), tabs, el("div.scroll", el("div.body.stack", head, untrusted(tool), page ? page.el : contract(tool, full))), page && el("div.actions", page.foot));
  pane.ariaLabel = `Tool ${tool.title ?? tool.name}`;
}

// A form was emptied.
addEventListener("desk-again", () => { drawn = undefined; show(tab, chosen); });

const untrusted = (tool) => tool.server && !tool.server.trusted && note("care", "destructive", `The server “${tool.server.name}” is not trusted.`, el("p", "Each of its tools counts as one that can destroy, whatever it says about itself."));

const FACTS = { read_only: "changes nothing", write: "changes something", destructive: "may destroy" };
const yes = (value) => (value === undefined || value === null ? "not said" : value ? "yes" : "no");

function contract(tool, full) {
  const facts = el("dl.facts", [["Effect", FACTS[tool.permission]], ["May be repeated", yes(tool.idempotent)], ["Reaches outside", yes(tool.open_world)],
    ["Server", tool.server ? `${tool.server.name}, ${tool.server.trusted ? "trusted" : "not trusted"}` : "this program"], ["Cost", `about ${tool.tokens} tokens`]].map(([name, value]) => el("div", el("dt", name), el("dd", value))));
  const written = el("div.part");
  const names = full.dialects.map((one) => one.dialect);
  const dialect = el("select", { "aria-label": "Dialect", className: "dialect", onchange: () => write(tool.name, dialect.value, written) }, names.map((name) => el("option", { value: name }, name)));
  write(tool.name, names[0], written);
  return [facts,
    part("Parameters", full.parts.length ? table("Table of parameters", ["Name", "Type", "Meaning", "Needed"], rows(full.parts)) : el("p.quiet", "Takes nothing.")),
    el("section.part", { "aria-label": "As a model gets it" }, el("div.part-head", el("h3", "As a model gets it"), el("span.spread"), dialect), written),
    part("In every dialect", table("Sizes in every dialect", ["Dialect", "Bytes", "Tokens, about", "Left out or refused"], full.dialects.map((one) => el("tr",
      el("td", one.dialect === one.written_as ? one.dialect : `${one.dialect} (as ${one.written_as})`), el("td.num", one.bytes), el("td.num", one.tokens),
      el("td", one.errors > 0 && el("span.bad", many(one.errors, "error"), " "), one.warnings > 0 && el("span.warn", many(one.warnings, "warning")), one.errors + one.warnings === 0 && el("span.quiet", "nothing"))))))];
}

const table = (label, head, body) => el("div.scroll-x", { tabIndex: 0, role: "region", "aria-label": label }, el("table.table", el("thead", el("tr", head.map((text) => el("th", { scope: "col" }, text)))), el("tbody", body)));

// Every parameter as a path, the nested ones too.
const rows = (parts, before = "") => parts.flatMap((one) => {
  const path = `${before}${one.name}`;
  return [el("tr", el("td", path), el("td", one.words), el("td.text", one.description), el("td", one.required ? "required" : "")), ...rows(one.parts, `${path} › `)];
});

async function write(tool, dialect, box) {
  let one;
  box.wanted = dialect;
  try { one = await api("schema", { tool, dialect }); } catch (error) { return fill(box, failed(error)); }
  // Another one may be chosen by now.
  if (box.wanted === dialect) fill(box,
    el("p.small.quiet.num", `${one.bytes} bytes, about ${one.tokens} tokens`, one.written_as !== one.dialect && `, written as ${one.written_as}`, one.lint.length === 0 && ". Nothing is left out."),
    one.lint.length > 0 && el("ul.small", one.lint.map((lint) => el("li", el("span", { className: lint.severity === "error" ? "bad" : "warn" }, lint.severity), ` ${lint.path || "/"}: ${lint.message}`))),
    code(`${tool} for ${dialect}`, one.text),
    one.output && code("Output", one.output));
}
