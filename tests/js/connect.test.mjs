// The connection: heartbeats, dead connections, retries, and when to give up.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";

import { connect } from "../../static/js/net/connect.js";

class FakeSocket {
  static OPEN = 1;
  /** Every socket of the test, newest last. @type {FakeSocket[]} */
  static all = [];

  constructor(url) {
    this.url = String(url);
    this.readyState = 0;
    this.closed = false;
    this.sent = [];
    FakeSocket.all.push(this);
  }

  send(text) {
    assert.equal(this.readyState, FakeSocket.OPEN, "sent on a socket that is not open");
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.closed = true;
    this.readyState = 2;
  }

  /** What the network does: it opens the socket, delivers a message, breaks the connection. */
  opens() {
    this.readyState = 1;
    this.onopen?.({});
  }

  delivers(message) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  breaks(code = 1006) {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

const PING = { type: "ping", version: 7 };
const PONG = { type: "pong" };
let messages;
let connections;
let page;
let window;

/** The newest socket. */
const current = () => FakeSocket.all.at(-1);
const sockets = () => FakeSocket.all.length;

function start(handlers = {}) {
  return connect("/ws/match/ga5snbpr/", {
    onMessage: (message) => messages.push(message),
    onConnection: (connected) => connections.push(connected),
    heartbeat: () => PING,
    ...handlers,
  });
}

/** Let time pass, with or without answers from the server. */
function pass(milliseconds, { answering = false } = {}) {
  for (let passed = 0; passed < milliseconds; passed += 100) {
    mock.timers.tick(100);
    if (answering) current().delivers(PONG);
  }
}

/** Return the milliseconds until the next attempt. */
function delayOfNextSocket() {
  const before = sockets();
  let passed = 0;
  while (sockets() === before && passed < 60_000) {
    mock.timers.tick(10);
    passed += 10;
  }
  return passed;
}

beforeEach(() => {
  FakeSocket.all = [];
  messages = [];
  connections = [];
  page = Object.assign(new EventTarget(), { hidden: false });
  window = new EventTarget();
  mock.timers.enable({ apis: ["setInterval", "setTimeout", "Date"], now: 1_000_000 });
  mock.method(Math, "random", () => 0.5);
  globalThis.WebSocket = FakeSocket;
  globalThis.document = page;
  globalThis.location = { href: "http://play.example/m/ga5snbpr/" };
  globalThis.addEventListener = window.addEventListener.bind(window);
});

afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
  for (const name of ["WebSocket", "document", "location", "addEventListener"]) delete globalThis[name];
});

describe("connecting", () => {
  test("the socket connects to the host of the page", () => {
    start();
    assert.equal(current().url, "ws://play.example/ws/match/ga5snbpr/");
  });

  test("a secure page uses a secure socket", () => {
    globalThis.location.href = "https://play.example/";
    start();
    assert.equal(current().url, "wss://play.example/ws/match/ga5snbpr/");
  });

  test("the page is told when the connection opens and when it breaks", () => {
    start();
    assert.deepEqual(connections, []);
    current().opens();
    assert.deepEqual(connections, [true]);
    current().breaks();
    assert.deepEqual(connections, [true, false]);
  });

  test("messages arrive in order", () => {
    start();
    current().opens();
    current().delivers({ type: "snapshot" });
    current().delivers({ type: "presence" });
    assert.deepEqual(messages, [{ type: "snapshot" }, { type: "presence" }]);
  });

  test("a message is sent, and the sender is told if it can't be", () => {
    const { send } = start();
    assert.equal(send({ type: "resign" }), false);
    current().opens();
    assert.equal(send({ type: "resign" }), true);
    assert.deepEqual(current().sent, [{ type: "resign" }]);
    current().breaks();
    assert.equal(send({ type: "resign" }), false);
  });
});

describe("the heartbeat", () => {
  test("a ping is sent every 2.5 seconds", () => {
    start();
    current().opens();
    pass(2400, { answering: true });
    assert.deepEqual(current().sent, []);
    pass(100, { answering: true });
    assert.deepEqual(current().sent, [PING]);
    pass(7500, { answering: true });
    assert.deepEqual(current().sent, [PING, PING, PING, PING]);
  });

  test("no ping is sent while there is no version to report", () => {
    start({ heartbeat: () => null });
    current().opens();
    pass(5000);
    assert.deepEqual(current().sent, []);
    assert.equal(sockets(), 1);
  });

  test("the connection stays while the server answers", () => {
    start();
    current().opens();
    pass(60_000, { answering: true });
    assert.equal(sockets(), 1);
    assert.deepEqual(connections, [true]);
  });

  test("the first heartbeat after nine seconds of silence reconnects", () => {
    start();
    current().opens();
    pass(9000);
    assert.equal(sockets(), 1);
    pass(1000);
    assert.equal(sockets(), 2);
    assert.equal(FakeSocket.all[0].closed, true);
    assert.deepEqual(connections, [true, false]);
    current().opens();
    assert.deepEqual(connections, [true, false, true]);
  });

  test("the silence counts from the last message", () => {
    start();
    current().opens();
    pass(1200, { answering: true });
    pass(8900);
    assert.equal(sockets(), 1);
    pass(2400);
    assert.equal(sockets(), 2);
  });

  test("a socket that never opens is replaced too", () => {
    start();
    pass(10_000);
    assert.equal(sockets(), 2);
    assert.equal(FakeSocket.all[0].closed, true);
  });

  test("messages from a replaced socket are ignored", () => {
    start();
    const replaced = current();
    replaced.opens();
    pass(10_000);
    assert.notEqual(current(), replaced);
    replaced.delivers({ type: "snapshot" });
    assert.deepEqual(messages, []);
  });

  test("closing a replaced socket does not affect the new one", () => {
    const { send } = start();
    const replaced = current();
    replaced.opens();
    pass(10_000);
    current().opens();
    replaced.breaks(4404);
    assert.deepEqual(connections, [true, false, true]);
    assert.equal(send({ type: "resign" }), true);
  });

  test("without a heartbeat nothing is sent, and silence is fine", () => {
    start({ heartbeat: undefined });
    current().opens();
    pass(60_000);
    assert.equal(sockets(), 1);
    assert.deepEqual(current().sent, []);
  });
});

describe("retrying", () => {
  test("a broken connection is retried", () => {
    start();
    current().opens();
    current().breaks();
    assert.equal(sockets(), 1);
    assert.equal(delayOfNextSocket(), 300);
    assert.equal(sockets(), 2);
  });

  test("the delays double, up to five seconds", () => {
    start();
    const delays = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      current().breaks();
      delays.push(delayOfNextSocket());
    }
    assert.deepEqual(delays, [300, 600, 1200, 2400, 4800, 5000, 5000, 5000]);
  });

  test("the delay is random, so that pages don't reconnect all at once", () => {
    start();
    Math.random.mock.mockImplementation(() => 0);
    current().breaks();
    assert.equal(delayOfNextSocket(), 150);
    Math.random.mock.mockImplementation(() => 0.9);
    current().breaks();
    assert.equal(delayOfNextSocket(), 840);
  });

  test("a working connection makes the next delay short again", () => {
    start();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      current().breaks();
      delayOfNextSocket();
    }
    current().opens();
    current().delivers({ type: "snapshot" });
    current().breaks();
    assert.equal(delayOfNextSocket(), 300);
  });

  test("there is one attempt at a time", () => {
    start();
    current().breaks();
    window.dispatchEvent(new Event("online"));
    assert.equal(sockets(), 2);
    pass(2000);
    assert.equal(sockets(), 2);
  });

  for (const code of [4401, 4404]) {
    test(`after close code ${code} there is no retry`, () => {
      start();
      current().opens();
      current().breaks(code);
      assert.deepEqual(connections, [true, false]);
      pass(60_000);
      window.dispatchEvent(new Event("online"));
      page.dispatchEvent(new Event("visibilitychange"));
      assert.equal(sockets(), 1);
    });
  }

  for (const code of [1001, 1006, 4408, 4429]) {
    test(`after close code ${code} there is a retry`, () => {
      start();
      current().opens();
      current().breaks(code);
      pass(10_000);
      assert.equal(sockets() > 1, true);
    });
  }
});

describe("back online or visible again", () => {
  /** Break the connection until the next retry is seconds away. */
  function breakOften() {
    start();
    for (let attempt = 0; attempt < 6; attempt += 1) {
      current().breaks();
      delayOfNextSocket();
    }
    current().breaks();
    return sockets();
  }

  test("going online reconnects at once, with short delays again", () => {
    const before = breakOften();
    window.dispatchEvent(new Event("online"));
    assert.equal(sockets(), before + 1);
    current().breaks();
    assert.equal(delayOfNextSocket(), 300);
  });

  test("a page that becomes visible reconnects at once", () => {
    const before = breakOften();
    page.dispatchEvent(new Event("visibilitychange"));
    assert.equal(sockets(), before + 1);
  });

  test("a page that becomes hidden does not", () => {
    const before = breakOften();
    page.hidden = true;
    page.dispatchEvent(new Event("visibilitychange"));
    assert.equal(sockets(), before);
  });

  test("a connection that died while the device slept is replaced at once", () => {
    start();
    current().opens();
    // While a device sleeps the clock runs but timers don't.
    const woken = Date.now() + 60_000;
    mock.method(Date, "now", () => woken);
    page.dispatchEvent(new Event("visibilitychange"));
    assert.equal(sockets(), 2);
    assert.equal(FakeSocket.all[0].closed, true);
  });

  test("a connection that may be alive is pinged, not replaced", () => {
    start();
    current().opens();
    pass(1000);
    page.dispatchEvent(new Event("visibilitychange"));
    assert.equal(sockets(), 1);
    assert.deepEqual(current().sent, [PING]);
  });
});

describe("closing", () => {
  test("a closed connection reports nothing and is not retried", () => {
    const { close } = start();
    current().opens();
    close();
    assert.equal(current().closed, true);
    current().delivers({ type: "update" });
    current().breaks();
    window.dispatchEvent(new Event("online"));
    pass(60_000);
    assert.equal(sockets(), 1);
    assert.deepEqual(current().sent, []);
    assert.deepEqual(messages, []);
    assert.deepEqual(connections, [true]);
  });

  test("closing stops a retry that was scheduled", () => {
    const { close } = start();
    current().breaks();
    close();
    pass(60_000);
    assert.equal(sockets(), 1);
  });
});
