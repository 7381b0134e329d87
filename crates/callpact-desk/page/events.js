// The events of the desk. They are read with `fetch`, since an `EventSource` sends no header and so no session.

import { request } from "./session.js";

const PAUSE = 500;

// Reads the events until the returned function is called. `hear` gets the name and the data of each, and `link` whether
// the desk is reached.
export function follow(hear, link) {
  const stop = new AbortController();
  const { signal } = stop;
  let last;
  const listen = async () => {
    const answer = await request("events", { signal, headers: last ? { "last-event-id": last } : {} });
    if (!answer.ok) return;
    link(true);
    await read(answer.body, ({ id, event, data }) => {
      last = id;
      hear(event, JSON.parse(data));
    });
  };
  (async () => {
    while (!signal.aborted) {
      await listen().catch(() => {});
      if (signal.aborted) return;
      link(false);
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  })();
  return () => stop.abort();
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
