// The events of the desk. They are read with `fetch`, since an `EventSource` sends no header and so no session.

import { request } from "./session.js";

const PAUSE = 500;
const NAME = `callpact-desk events ${location.pathname}`;

// Reads the events until the returned function is called. `hear` gets the name and the data of each, and `link` whether
// the desk is reached. One tab of a browser reads and passes the events to the others, since a browser opens only six
// connections to a host. It is the tab with the lock; when it closes, another one goes on. Only a page of this machine
// or of TLS has locks; elsewhere each tab reads.
export function follow(hear, link) {
  const stop = new AbortController();
  const { signal } = stop;
  const { locks } = navigator;
  const tabs = locks && new BroadcastChannel(NAME);
  let last, live, reads = false;
  const pass = (message) => {
    take(message);
    tabs?.postMessage(message);
  };
  const take = (message) => {
    if (message.id) {
      last = message.id;
      hear(message.event, JSON.parse(message.data));
    } else if (live !== message.live) {
      const first = live === undefined;
      live = message.live;
      link(live);
      // The greeting came before this tab did.
      if (first && live && !reads) hear("hello", {});
    }
  };
  const listen = async () => {
    const answer = await request("events", { signal, headers: last ? { "last-event-id": last } : {} });
    if (!answer.ok) return;
    pass({ live: true });
    await read(answer.body, pass);
  };
  const readOn = async () => {
    reads = true;
    while (!signal.aborted) {
      await listen().catch(() => {});
      if (signal.aborted) return;
      pass({ live: false });
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  };
  if (!locks) {
    readOn();
    return () => stop.abort();
  }
  tabs.onmessage = ({ data }) => {
    if (!data.asks) take(data);
    else if (reads && live !== undefined) tabs.postMessage({ live });
  };
  tabs.postMessage({ asks: true });
  locks.request(NAME, { signal }, readOn).catch(() => {});
  return () => {
    stop.abort();
    tabs.close();
  };
}

// Calls `found` with the fields of each event of a stream. A comment is a sign of life.
async function read(body, found) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (text + value).split("\n\n");
    text = events.pop();
    for (const event of events) {
      const lines = event.split("\n").filter((line) => !line.startsWith(":"));
      if (lines.length) found(Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)])));
    }
  }
}
