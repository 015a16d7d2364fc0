// Subscribing to web push, with a browser that does what we tell it.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { bytesOf, renew, subscribe, unsubscribe } from "../../static/js/net/push.js";

const KEY = "BAECAw";
const MADE = { endpoint: "https://push.example/1", keys: { auth: "a", p256dh: "b" } };

let requests, subscription, made, status, stored;

function newSubscription(key) {
  return {
    endpoint: MADE.endpoint,
    options: { applicationServerKey: key.buffer },
    toJSON: () => MADE,
    unsubscribe: async () => (subscription = null),
  };
}

beforeEach(() => {
  [requests, subscription, made, status] = [[], null, 0, 200];
  globalThis.document = { cookie: "csrftoken=token", documentElement: { lang: "en" } };
  stored = {};
  const storage = { getItem: (name) => stored[name], setItem: (name, value) => (stored[name] = value) };
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
  globalThis.Notification = { permission: "granted" };
  const pushManager = {
    getSubscription: async () => subscription,
    subscribe: async ({ applicationServerKey }) => {
      made += 1;
      return (subscription = newSubscription(applicationServerKey));
    },
  };
  Object.defineProperty(globalThis, "navigator", {
    value: { serviceWorker: { ready: Promise.resolve({ pushManager }) } },
    configurable: true,
  });
  globalThis.fetch = async (path, options = {}) => {
    requests.push([options.method ?? "GET", path, options.body && JSON.parse(options.body)]);
    return { ok: status === 200, json: async () => ({ key: KEY }) };
  };
});

test("base64url is decoded", () => {
  assert.deepEqual([...bytesOf("-_8A")], [251, 255, 0]);
});

test("a new subscription is sent to the server", async () => {
  assert.equal(await subscribe(), true);
  assert.deepEqual(requests, [
    ["GET", "/api/push/", undefined],
    ["POST", "/api/me/push/", MADE],
  ]);
});

test("a subscription that is there is sent again and not replaced", async () => {
  subscription = newSubscription(bytesOf(KEY));
  assert.equal(await subscribe(), true);
  assert.equal(made, 0);
});

test("a subscription made with another key is replaced", async () => {
  subscription = newSubscription(bytesOf("BAECBA"));
  assert.equal(await subscribe(), true);
  assert.equal(made, 1);
});

test("it says so if the server refuses it, or there is no push service", async () => {
  status = 400;
  assert.equal(await subscribe(), false);
  navigator.serviceWorker.ready = Promise.resolve({});
  assert.equal(await subscribe(), false);
  navigator.serviceWorker.ready = Promise.reject(new Error("none"));
  assert.equal(await subscribe(), false);
});

test("a subscription is renewed once a day, and in every language", async () => {
  for (let page = 0; page < 3; page++) await renew();
  assert.equal(requests.length, 2);
  document.documentElement.lang = "de";
  await renew();
  assert.equal(requests.length, 4);
  Notification.permission = "default";
  document.documentElement.lang = "en";
  await renew();
  assert.equal(requests.length, 4);
});

test("a page without a token asks for one first", async () => {
  document.cookie = "";
  subscription = newSubscription(bytesOf(KEY));
  await unsubscribe();
  assert.deepEqual(
    requests.map(([method, path]) => `${method} ${path}`),
    ["HEAD /", "DELETE /api/me/push/"],
  );
  assert.equal(subscription, null);
});

test("there is nothing to end without a subscription", async () => {
  await unsubscribe();
  assert.deepEqual(requests, []);
});
