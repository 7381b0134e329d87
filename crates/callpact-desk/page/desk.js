// The page: its session, its views, and what the desk tells it.

import { api, el, failed, fill } from "./dom.js";
import { follow } from "./events.js";
import { keep, session } from "./session.js";
import * as tools from "./tools.js";
import * as trial from "./try.js";
import * as waiting from "./waiting.js";
import * as trace from "./trace.js";

const views = { tools, try: trial, waiting, trace };
const at = (id) => document.getElementById(id);
const link = at("link");
let unfollow;

function show() {
  const [name, ...rest] = location.hash.slice(1).split("/");
  const view = Object.hasOwn(views, name) ? name : "tools";
  for (const other of Object.keys(views)) {
    at(other).hidden = other !== view;
    at(`nav-${other}`).ariaCurrent = other === view ? "page" : null;
  }
  let argument = "";
  try { argument = decodeURIComponent(rest.join("/")); } catch { /* not ours */ }
  views[view].show(argument);
}

session.lost = (people) => {
  unfollow?.();
  for (const view of Object.keys(views)) at(view).hidden = true;
  at("closed").hidden = false;
  at("enter").hidden = !people;
  at("printed").hidden = people;
  link.textContent = "no session";
};

session.entered = () => {
  if (at("closed").hidden) return;
  at("closed").hidden = true;
  begin();
};

function listen() {
  const quiet = () => {}; // the link says it
  const all = () => { for (const work of [load, waiting.load, waiting.greet, trace.load]) work().catch(quiet); };
  const heard = {
    hello: all,
    tools: () => load().catch(quiet),
    waiting: waiting.load,
    call: trace.call,
    progress: trial.progress,
  };
  let lost = false;
  unfollow = follow((name, data) => heard[name]?.(data), (live) => {
    link.textContent = live ? "live" : "the program cannot be reached, trying again";
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

async function load() {
  const list = await api("tools");
  tools.replace(list);
  trial.replace(list);
  show();
}

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
  at("invite").onclick = async () => {
    let token;
    try { ({ token } = await api("invite", {})); } catch (error) { return fill(link, failed(error)); }
    const address = `${location.origin}${location.pathname}#token=${token}`;
    const shown = el("input", { type: "text", readOnly: true, value: address, "aria-label": "Address for another browser" });
    fill(link, "Works once: ", shown);
    shown.select();
  };
  const number = (count) => {
    at("count").textContent = String(count);
    at("count").hidden = count === 0;
    trial.waits(count);
    document.title = count === 0 ? "Callpact desk" : `(${count}) Callpact desk`;
  };
  tools.start(at("tools"));
  trial.start(at("try"));
  waiting.start(at("waiting"), number);
  trace.start(at("trace"));
  addEventListener("hashchange", () => { if (at("closed").hidden) show(); });
  begin();
}

async function begin() {
  try {
    await load();
    listen();
  } catch (error) {
    fill(link, error.message);
    if (error.status !== 401) setTimeout(begin, 1000);
  }
}

start();
