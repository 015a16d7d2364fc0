// This browser's subscription to web push: messages that arrive even if no page is open.

import { call } from "./api.js";

const KEY = "/api/push/";
const SUBSCRIPTION = "/api/me/push/";
// Seconds to wait for the service worker, which every page registers.
const LONGEST_WAIT = 5;

/**
 * Subscribe this browser. Permission to notify must have been given.
 * @returns {Promise<boolean>} whether it worked; if not, there are notifications only while a page is open
 */
export async function subscribe() {
  try {
    const pushes = (await worker())?.pushManager;
    if (!pushes) return false;
    const key = bytesOf((await call("GET", KEY)).key);
    let subscription = await pushes.getSubscription();
    if (subscription && !isFor(subscription, key)) {
      await subscription.unsubscribe();
      subscription = null;
    }
    subscription ??= await pushes.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint, keys } = subscription.toJSON();
    await call("POST", SUBSCRIPTION, { endpoint, keys });
    localStorage.setItem("subscribed", thisDay());
    return true;
  } catch {
    // There is no network, or the browser has no push service.
    return false;
  }
}

/** End this browser's subscription, here and on the server. */
export async function unsubscribe() {
  try {
    const subscription = await (await worker())?.pushManager?.getSubscription();
    if (!subscription) return;
    await call("DELETE", SUBSCRIPTION, { endpoint: subscription.endpoint });
    await subscription.unsubscribe();
  } catch {
    // If the server hears nothing of it, the push service tells it with the next message.
  }
}

/** Subscribe again every day, in case the server has lost it, and in every language, because messages are translated. */
export async function renew() {
  if (Notification.permission === "granted" && localStorage.getItem("subscribed") !== thisDay()) await subscribe();
}

function thisDay() {
  return `${document.documentElement.lang} ${new Date().toDateString()}`;
}

/** @returns {Promise<ServiceWorkerRegistration | undefined>} */
async function worker() {
  /** @type {number | undefined} */
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, LONGEST_WAIT * 1000)));
  try {
    return await Promise.race([navigator.serviceWorker?.ready, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Whether a subscription was made with this key of the server.
 * @param {PushSubscription} subscription
 * @param {Uint8Array} key
 */
function isFor(subscription, key) {
  const made = subscription.options?.applicationServerKey;
  if (!made) return true;
  const bytes = new Uint8Array(made);
  return bytes.length === key.length && bytes.every((byte, index) => byte === key[index]);
}

/**
 * Decode base64url.
 * @param {string} text
 */
export function bytesOf(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
