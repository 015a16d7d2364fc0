// Following the lobby: it loads before it shows, and skips outdated messages.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";

import { followLobby } from "../../static/js/net/lobby.js";

const GLOBALS = ["WebSocket", "document", "location", "addEventListener"];
let socket;

class FakeSocket {
  constructor() {
    socket = this;
  }

  delivers(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

const lobby = (name) => ({ type: "lobby", name, open: [], live: [] });

beforeEach(() => {
  mock.timers.enable({ apis: ["setInterval", "setTimeout", "Date"] });
  globalThis.WebSocket = FakeSocket;
  globalThis.document = new EventTarget();
  globalThis.location = { href: "http://play.example/" };
  globalThis.addEventListener = () => {};
});

afterEach(() => {
  mock.timers.reset();
  for (const name of GLOBALS) delete globalThis[name];
});

/** Follow the lobby; each message is shown once the test has called its `loaded`. */
function follow() {
  const shown = [];
  const loaded = {};
  followLobby({
    prepare: ({ name }) => new Promise((resolve) => (loaded[name] = resolve)),
    show: ({ name }) => shown.push(name),
    onConnection() {},
  });
  return { shown, loaded };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("the lobby", () => {
  test("is shown once everything it needs is loaded", async () => {
    const { shown, loaded } = follow();
    socket.delivers(lobby("first"));
    await settled();
    assert.deepEqual(shown, []);
    loaded.first();
    await settled();
    assert.deepEqual(shown, ["first"]);
  });

  test("skips a message when a newer one has arrived", async () => {
    const { shown, loaded } = follow();
    socket.delivers(lobby("first"));
    socket.delivers(lobby("second"));
    loaded.second();
    await settled();
    loaded.first();
    await settled();
    assert.deepEqual(shown, ["second"]);
  });

  test("ignores other messages", async () => {
    const { shown } = follow();
    socket.delivers({ type: "error", code: "too_many", text: "No." });
    await settled();
    assert.deepEqual(shown, []);
  });
});
