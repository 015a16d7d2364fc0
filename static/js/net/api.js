// Calls the site's own API from a page, as the guest whose cookie this browser has.

/** @import { Said } from "../types.d.ts" */

/** What the API refuses: its code, and its sentence with template and values. */
export class Refused extends Error {
  /** @param {{code: string, text: string} & Said} answer */
  constructor(answer) {
    super(answer.text);
    this.code = answer.code;
    this.sentence = answer;
  }
}

/**
 * Send a request and return the answer; throw a `Refused` if it is a refusal.
 * @param {"GET" | "POST" | "PATCH" | "DELETE"} method
 * @param {string} path
 * @param {object} [data]
 */
export async function call(method, path, data = {}) {
  const response = await fetch(path, method === "GET" ? {} : await writing(method, data));
  const answer = await response.json();
  if (!response.ok) throw new Refused(answer);
  return answer;
}

/**
 * @param {string} method
 * @param {object} data
 */
async function writing(method, data) {
  const headers = { "Content-Type": "application/json", "X-CSRFToken": await csrfToken() };
  // It reaches the server even if the page is left meanwhile.
  return { method, headers, body: JSON.stringify(data), keepalive: true };
}

/** The token that shows that a request comes from our own pages. Pages without a form have none yet. */
async function csrfToken() {
  if (!tokenInCookie()) await fetch("/", { method: "HEAD" });
  return tokenInCookie();
}

function tokenInCookie() {
  return document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? "";
}

/** Whether this browser has a guest already. One that only reads has none. */
export function isGuest() {
  return document.documentElement.dataset.guest === "yes";
}
