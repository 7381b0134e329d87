// The page: its session, its views, its keys, and what the desk tells it.

import { api, at, button, dialog, el, failed, fill, icon, phone } from "./dom.js";
import { follow } from "./events.js";
import { keep, request, session } from "./session.js";
import * as inbox from "./inbox.js";
import * as servers from "./servers.js";
import * as tools from "./tools.js";
import * as trial from "./try.js";
import * as trace from "./trace.js";

const VIEWS = [["inbox", "Inbox"], ["tools", "Tools"], ["trace", "Trace"], ["protocol", "Protocol"], ["connect", "Connect"]];
const shows = {
  inbox: inbox.show, waiting: inbox.show, try: (name) => tools.show("try", name), tools: (name) => tools.show(name ? "tools" : "try", name),
  trace: trace.show, protocol: servers.showProtocol, connect: servers.showConnect,
};
const PLACE = { waiting: "inbox", try: "tools" };
const link = at("link");
let unfollow, count = 0, view = "inbox";

function show() {
  const [name, ...rest] = location.hash.slice(1).split("/");
  view = Object.hasOwn(shows, name) ? name : "inbox";
  const place = PLACE[view] ?? view;
  for (const [other] of VIEWS) {
    at(other).hidden = other !== place;
    at(`nav-${other}`).ariaCurrent = other === place ? "page" : null;
  }
  let argument = "";
  try { argument = decodeURIComponent(rest.join("/")); } catch { /* not ours */ }
  shows[view](argument);
  title();
  // On a phone a thing replaces its list, so the focus goes with it.
  if (phone.matches && argument) at(place).querySelector(".close a")?.focus({ preventScroll: true });
}

function title() {
  const [, words] = VIEWS.find(([name]) => name === (PLACE[view] ?? view));
  document.title = `${count ? `(${count}) ` : ""}${words} · Callpact desk`;
}

function counted(now) {
  count = now;
  const shown = at("count");
  fill(shown, String(now), el("span.vh", " waiting"));
  shown.hidden = now === 0;
  trial.waits(now);
  title();
}

session.lost = (people) => {
  unfollow?.();
  counted(0);
  fill(at("who"));
  for (const [name] of VIEWS) at(name).hidden = true;
  at("closed").hidden = false;
  at("enter").hidden = !people;
  at("printed").hidden = people;
  tell("no session", false);
};

session.entered = () => {
  if (at("closed").hidden) return;
  at("closed").hidden = true;
  begin();
};

function tell(words, live) {
  fill(link, words);
  at("dot").classList.toggle("failed", !live);
  at("about").className = `foot-link ${live ? "" : "bad"}`;
  fill(at("about"), icon(live ? "more" : "x"), el("span", live ? "More" : "Offline"));
}

function listen() {
  const quiet = () => {}; // the link says it
  const all = () => {
    for (const work of [load, inbox.load, greet, trace.load, servers.load, servers.loadLog]) work().catch(quiet);
    trial.catchUp();
  };
  const heard = {
    hello: all,
    tools: () => { load().catch(quiet); servers.load().catch(quiet); },
    waiting: inbox.arrived,
    settled: inbox.settled,
    call: trace.call,
    progress: trial.progress,
    tried: (data) => { trial.tried(data); inbox.tried(data); },
    servers: () => servers.load().catch(quiet),
    message: servers.message,
  };
  let lost = false;
  unfollow = follow((name, data) => heard[name]?.(data), (live) => {
    tell(live ? "connected" : "the program cannot be reached, trying again", live);
    inbox.lost(live);
    // What could not be asked for meanwhile.
    if (live && lost) all();
    lost = !live;
  });
}

const enter = async (token) => keep((await api("session", { token })).session);

const enterOwn = async () => {
  try {
    await enter(at("own").value);
    at("own").value = at("denied").textContent = "";
    session.entered();
  } catch (error) {
    fill(at("denied"), error.message);
  }
};
at("enter").querySelector("button").onclick = enterOwn;
at("own").onkeydown = (event) => { if (event.key === "Enter") enterOwn(); };

// Says under which name somebody decides, and for which program.
async function greet() {
  const { name, program } = await api("me");
  fill(at("who"), icon("user"), el("span.text", `You decide as “${name}” in ${program}`));
}

async function load() {
  tools.replace(await api("tools"));
  show();
}

// ---- Keys

const KEYS = [["j k", "Next and previous entry of the list"], ["/", "Search; Enter opens the first match"], ["a", "Approve; for a call that can destroy, the focus goes to Approve"], ["e", "Edit"], ["r", "Refuse with a reason"], ["x", "End the run"], ["1 … 5", "Inbox, Tools, Trace, Protocol, Connect"], ["Ctrl ↵", "Send the open form"], ["Esc", "Leave a field, then close what is open"], ["← →", "Fold and unfold a line of the trace"]];
function keys() {
  dialog("Keys", el("dl.keys", KEYS.map(([key, words]) => [el("dt", key.split(" ").map((one) => [el("kbd", one), " "])), el("dd", words)])));
}

const STEP = { inbox: inbox.step, trace: trace.step, protocol: servers.stepLog };
addEventListener("keydown", (event) => {
  const section = at(PLACE[view] ?? view);
  const typing = event.target.closest?.("input:not([type=checkbox]), textarea, select");
  const press = (selector) => {
    const found = [...section.querySelectorAll(selector)].find((one) => !one.disabled && one.offsetParent);
    found?.click();
    return found;
  };
  if (at("dialog").open || at("closed").hidden === false) return;
  if (event.key === "Escape") {
    if (typing) return event.target.blur();
    if (press(".actions .cancel") || !phone.matches) return;
    location.hash = view;
    return;
  }
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
    if (press(".actions .solid:not(.confirm)")) event.preventDefault();
    return;
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") { event.preventDefault(); section.querySelector(".search")?.focus(); return; }
  if (event.key === "?") return keys();
  if (/^[1-5]$/.test(event.key)) { location.hash = VIEWS[event.key - 1][0]; return; }
  if (event.key === "j" || event.key === "k") {
    const by = event.key === "j" ? 1 : -1;
    if (STEP[PLACE[view] ?? view]) return STEP[PLACE[view] ?? view](by);
    const items = [...section.querySelectorAll(".list .item")];
    const now = items.findIndex((one) => one.ariaCurrent);
    items[Math.min(items.length - 1, Math.max(0, now + by))]?.click();
    return;
  }
  const hit = [...section.querySelectorAll(".actions [aria-keyshortcuts]")].find((one) => one.getAttribute("aria-keyshortcuts") === event.key && !one.disabled);
  if (!hit) return;
  event.preventDefault();
  // What can destroy is never approved by one letter: the key moves the focus there, and Enter approves.
  if (hit.matches(".solid.destructive")) hit.focus(); else hit.click();
});

async function start() {
  const token = /^#token=([0-9a-f]+)$/.exec(location.hash)?.[1];
  if (token) {
    // Gone from the address before anything else happens.
    history.replaceState(null, "", location.pathname);
    try {
      await enter(token);
    } catch { /* it has a session, or is told below */ }
  }
  at("skip").onclick = (event) => { event.preventDefault(); at("main").focus(); };
  at("keys").onclick = () => { at("dialog").close(); keys(); };
  const foot = at("foot");
  at("about").onclick = () => { dialog("This desk", foot).onclose = () => at("nav").after(foot); };
  at("invite").onclick = async () => {
    let token;
    try { ({ token } = await api("invite", {})); } catch (error) { return fill(at("invited"), failed(error)); }
    const address = `${location.origin}${location.pathname}#token=${token}`;
    const shown = el("input", { type: "text", readOnly: true, value: address, "aria-label": "Address for another browser" });
    fill(at("invited"), "Works once:", shown);
    shown.select();
  };
  fill(at("nav"), VIEWS.map(([id, words]) => el("a", { href: `#${id}`, id: `nav-${id}` }, icon(id), el("span", words), id === "inbox" && el("span.count", { id: "count", hidden: true }))));
  inbox.start(at("inbox"), counted);
  tools.start(at("tools"));
  trace.start(at("trace"));
  servers.startProtocol(at("protocol"));
  servers.startConnect(at("connect"));
  addEventListener("hashchange", () => { if (at("closed").hidden) show(); });
  phone.addEventListener("change", () => { if (at("closed").hidden) show(); });
  addEventListener("pagehide", () => trial.stopAll(request));
  begin();
}

async function begin() {
  try {
    await load();
    listen();
  } catch (error) {
    tell(error.message, false);
    if (error.status !== 401) setTimeout(begin, 1000);
  }
}

start();
