// The session of this browser: a secret in the storage of the page's origin, which every request sends in a header.
// Not a cookie, since a browser sends cookies to every port of a machine.

const KEY = `callpact-desk ${location.pathname}`;
const HEADER = "callpact-session";

// Called when the desk does not know this browser, with whether people have tokens of their own; and when another tab
// has entered.
export const session = { lost: () => {}, entered: () => {} };

export const keep = (secret) => localStorage.setItem(KEY, secret);

// Sends a request in the session of this browser.
export async function request(name, options = {}) {
  const secret = localStorage.getItem(KEY);
  const headers = secret ? { ...options.headers, [HEADER]: secret } : options.headers;
  const answer = await fetch(`api/${name}`, { ...options, headers });
  if (answer.status === 401 && name !== "session") {
    // Another tab may have entered meanwhile.
    if (localStorage.getItem(KEY) === secret) localStorage.removeItem(KEY);
    const { people } = await answer.clone().json();
    session.lost(people);
  }
  return answer;
}

addEventListener("storage", ({ key, newValue }) => {
  if (key !== KEY) return;
  if (newValue) session.entered();
  else request("me").catch(() => {});
});
