// The page: its session, its views, and what the desk tells it.

import { api, el, fill, session, visible } from "./dom.js";
import * as tools from "./tools.js";
import * as trial from "./try.js";
import * as waiting from "./waiting.js";
import * as trace from "./trace.js";

const views = { tools, try: trial, waiting, trace };
const at = (id) => document.getElementById(id);
const link = at("link");
let events;

function show() {
  const [name, ...rest] = location.hash.slice(1).split("/");
  const view = Object.hasOwn(views, name) ? name : "tools";
  for (const other of Object.keys(views)) {
    at(other).hidden = other !== view;
    if (other === view) at(`nav-${other}`).setAttribute("aria-current", "page");
    else at(`nav-${other}`).removeAttribute("aria-current");
  }
  let argument = "";
  try { argument = decodeURIComponent(rest.join("/")); } catch { /* an address that nobody here wrote */ }
  views[view].show(argument);
}

session.lost = () => {
  events?.close();
  for (const view of Object.keys(views)) at(view).hidden = true;
  at("closed").hidden = false;
  link.textContent = "no session";
};

const parse = (event) => JSON.parse(event.data);

function listen() {
  events = new EventSource("api/events");
  events.onopen = () => { link.textContent = "live"; };
  events.onerror = () => {
    link.textContent = "connection lost, trying again";
    // A browser gives up where the desk refuses it: it may have been started again.
    if (events.readyState === EventSource.CLOSED) {
      api("waiting").then(() => setTimeout(listen, 1000), () => setTimeout(listen, 1000));
      events.close();
    }
  };
  events.addEventListener("hello", () => { load(); waiting.load(); trace.load(); });
  events.addEventListener("tools", load);
  events.addEventListener("waiting", () => waiting.load());
  events.addEventListener("call", (event) => trace.call(parse(event)));
  events.addEventListener("progress", (event) => trial.progress(parse(event)));
}

const enter = async () => {
  try {
    await api("session", { token: at("own").value });
    location.reload();
  } catch (error) {
    at("denied").textContent = visible(error.message);
  }
};
at("enter").querySelector("button").onclick = enter;
at("own").onkeydown = (event) => { if (event.key === "Enter") enter(); };

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
      await api("session", { token });
    } catch { /* a browser that came in before has its session; another is told below */ }
  }
  at("skip").onclick = (event) => { event.preventDefault(); at("main").focus(); };
  at("invite").onclick = async () => {
    const { token } = await api("invite", {});
    const address = `${location.origin}${location.pathname}#token=${token}`;
    const shown = el("input", { type: "text", readOnly: true, value: address, "aria-label": "Address for another browser" });
    fill(link, "Works once: ", shown);
    shown.select();
  };
  const number = (count) => {
    at("count").textContent = String(count);
    at("count").hidden = count === 0;
    trial.waits(count);
    document.title = count === 0 ? "Toolwright desk" : `(${count}) Toolwright desk`;
  };
  tools.start(at("tools"));
  trial.start(at("try"));
  waiting.start(at("waiting"), number);
  trace.start(at("trace"));
  try {
    await load();
  } catch {
    return session.lost();
  }
  addEventListener("hashchange", show);
  listen();
}

start();
