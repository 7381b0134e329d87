// Arguments that a person fills in: a form, the same as JSON, and every fault that the desk's reader finds.

import { api, el, fill, pretty, segments, typed } from "./dom.js";
import { form, parseArguments } from "./form.js";

export const readWith = ({ fixes }) => fixes?.length > 0 && `Read with changes:\n${fixes.join("\n")}`;

// `fits` is told how many faults there are, and `touched` when somebody changed something. `edit` is for arguments that
// were shown with masks: it complains from the start.
export function editor({ tool, tree, first, fits, touched, edit }) {
  const holder = el("div");
  const told = el("p.fault.text", { role: "status" });
  const fixes = el("p.quiet.small.text");
  let fields, timer, latest = 0, asText = false, loud = edit;
  const read = () => (asText ? text.input.value : fields.read());
  const check = async () => {
    clearTimeout(timer);
    const mine = ++latest;
    let reply;
    try {
      reply = await api("check", { tool, arguments: read(), edit });
    } catch (error) {
      if (mine !== latest) return;
      fill(told, error.message);
      if (!error.status) changed(2000);
      return;
    }
    if (mine !== latest) return;
    const faults = reply.faults?.faults ?? [];
    const gaps = asText ? [] : fields.gaps().filter(({ place }) => !faults.some((one) => one.place === place));
    fill(told, !reply.ok && loud && (asText || faults.length === 0) && reply.text);
    if (!asText) fields.show([...faults, ...gaps]);
    fill(fixes, readWith(reply));
    fits(reply.ok ? gaps.length : Math.max(1, faults.length + gaps.length), loud);
  };
  const changed = (wait = 80) => {
    clearTimeout(timer);
    timer = setTimeout(check, wait);
  };
  const text = typed("textarea", { className: "code-text", "aria-label": "Arguments as JSON", oninput: () => { touched(); changed(); } });
  const build = (value) => {
    fields = form(tree, value, () => { touched(); changed(); });
    if (loud) fields.complain();
    fill(holder, fields.el);
  };
  const choice = segments("Input", [["form", "Form"], ["json", "JSON"]], "form", (one) => toggled(one === "json"));
  const show = (json) => {
    asText = json;
    text.el.hidden = !json;
    holder.hidden = json;
    choice.mark(json ? "json" : "form");
  };
  const setText = (value) => {
    text.input.value = value;
    text.look();
    show(true);
  };
  const toggled = async (json) => {
    if (json === asText) return;
    if (json) {
      setText(pretty(fields.read()));
    } else {
      try {
        build(parseArguments(text.input.value));
        show(false);
      } catch (error) {
        loud = true;
        show(true);
        // The reader says more, where it has something to say.
        await check();
        told.textContent = `${error.message}\n${told.textContent}`;
        return;
      }
    }
    changed();
  };
  show(false);
  try {
    build(first === undefined ? undefined : parseArguments(first));
  } catch {
    build();
    setText(first);
  }
  changed();
  return {
    el: el("section.part", { "aria-label": "Arguments" }, el("div.part-head", el("h3", "Arguments"), el("span.spread"), choice.el), holder, text.el, told, fixes),
    read,
    // Shows every fault from now on, also of what nobody touched.
    complain: () => { loud = true; fields.complain(); return check(); },
    lead: () => (asText ? text.input.focus() : fields.lead()),
    focus: () => holder.querySelector("input, textarea, select")?.focus(),
  };
}
