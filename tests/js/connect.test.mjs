// The connection: it beats, notices silence, comes back, and knows when not to.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";

import { connect } from "../../static/js/net/connect.js";

class FakeSocket {
  static OPEN = 1;
  /** All that were ever made, the newest last. @type {FakeSocket[]} */
  static made = [];

  constructor(url) {
    this.url = String(url);
    this.readyState = 0;
    this.closed = false;
    /** What was sent. */
    this.sent = [];
    FakeSocket.made.push(this);
  }

  send(text) {
    assert.equal(this.readyState, FakeSocket.OPEN, "sent on a socket that is not open");
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.closed = true;
    this.readyState = 2;
  }

  /** The network's side: the socket opens, brings a message, breaks. */
  opens() {
    this.readyState = 1;
    this.onopen?.({});
  }

  brings(message) {
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
const current = () => FakeSocket.made.at(-1);
const sockets = () => FakeSocket.made.length;

function start(handlers = {}) {
  return connect("/ws/match/ga5snbpr/", {
    onMessage: (message) => messages.push(message),
    onConnection: (connected) => connections.push(connected),
    heartbeat: () => PING,
    ...handlers,
  });
}

/** Let time pass while the server answers, or does not. */
function pass(milliseconds, { answering = false } = {}) {
  for (let passed = 0; passed < milliseconds; passed += 100) {
    mock.timers.tick(100);
    if (answering) current().brings(PONG);
  }
}

/** How long it takes until the next attempt. */
function pauseUntilNextSocket() {
  const before = sockets();
  let passed = 0;
  while (sockets() === before && passed < 60_000) {
    mock.timers.tick(10);
    passed += 10;
  }
  return passed;
}

beforeEach(() => {
  FakeSocket.made = [];
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
  test("the socket is the page's own host's", () => {
    start();
    assert.equal(current().url, "ws://play.example/ws/match/ga5snbpr/");
  });

  test("a secure page has a secure socket", () => {
    globalThis.location.href = "https://play.example/";
    start();
    assert.equal(current().url, "wss://play.example/ws/match/ga5snbpr/");
  });

  test("the page hears when the connection is there and when it breaks", () => {
    start();
    assert.deepEqual(connections, []);
    current().opens();
    assert.deepEqual(connections, [true]);
    current().breaks();
    assert.deepEqual(connections, [true, false]);
  });

  test("messages are handed on in order", () => {
    start();
    current().opens();
    current().brings({ type: "snapshot" });
    current().brings({ type: "presence" });
    assert.deepEqual(messages, [{ type: "snapshot" }, { type: "presence" }]);
  });

  test("what is sent arrives, and the sender is told when it cannot be", () => {
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
  test("a ping goes out every 2.5 seconds", () => {
    start();
    current().opens();
    pass(2400, { answering: true });
    assert.deepEqual(current().sent, []);
    pass(100, { answering: true });
    assert.deepEqual(current().sent, [PING]);
    pass(7500, { answering: true });
    assert.deepEqual(current().sent, [PING, PING, PING, PING]);
  });

  test("with nothing to say yet no ping goes out", () => {
    start({ heartbeat: () => null });
    current().opens();
    pass(5000);
    assert.deepEqual(current().sent, []);
    assert.equal(sockets(), 1);
  });

  test("an answering server keeps its connection", () => {
    start();
    current().opens();
    pass(60_000, { answering: true });
    assert.equal(sockets(), 1);
    assert.deepEqual(connections, [true]);
  });

  test("nine seconds of silence are borne, and with the next beat it connects anew", () => {
    start();
    current().opens();
    pass(9000);
    assert.equal(sockets(), 1);
    pass(1000);
    assert.equal(sockets(), 2);
    assert.equal(FakeSocket.made[0].closed, true);
    assert.deepEqual(connections, [true, false]);
    current().opens();
    assert.deepEqual(connections, [true, false, true]);
  });

  test("the silence is counted from the last message", () => {
    start();
    current().opens();
    pass(1200, { answering: true });
    pass(8900);
    assert.equal(sockets(), 1);
    pass(2400);
    assert.equal(sockets(), 2);
  });

  test("an attempt that never opens is given up as well", () => {
    start();
    pass(10_000);
    assert.equal(sockets(), 2);
    assert.equal(FakeSocket.made[0].closed, true);
  });

  test("messages from an abandoned socket are ignored", () => {
    start();
    const abandoned = current();
    abandoned.opens();
    pass(10_000);
    assert.notEqual(current(), abandoned);
    abandoned.brings({ type: "snapshot" });
    assert.deepEqual(messages, []);
  });

  test("the end of an abandoned socket does not end the new one", () => {
    const { send } = start();
    const abandoned = current();
    abandoned.opens();
    pass(10_000);
    current().opens();
    abandoned.breaks(4404);
    assert.deepEqual(connections, [true, false, true]);
    assert.equal(send({ type: "resign" }), true);
  });

  test("a server that only talks is not pinged, and its silence means nothing", () => {
    start({ heartbeat: undefined });
    current().opens();
    pass(60_000);
    assert.equal(sockets(), 1);
    assert.deepEqual(current().sent, []);
  });
});

describe("coming back", () => {
  test("a broken connection is tried again by itself", () => {
    start();
    current().opens();
    current().breaks();
    assert.equal(sockets(), 1);
    assert.equal(pauseUntilNextSocket(), 300);
    assert.equal(sockets(), 2);
  });

  test("the pauses grow, and never beyond five seconds", () => {
    start();
    const pauses = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      current().breaks();
      pauses.push(pauseUntilNextSocket());
    }
    assert.deepEqual(pauses, [300, 600, 1200, 2400, 4800, 5000, 5000, 5000]);
  });

  test("not everybody comes back at the same moment", () => {
    start();
    Math.random.mock.mockImplementation(() => 0);
    current().breaks();
    assert.equal(pauseUntilNextSocket(), 150);
    Math.random.mock.mockImplementation(() => 0.9);
    current().breaks();
    assert.equal(pauseUntilNextSocket(), 840);
  });

  test("a connection that holds makes the next pause short again", () => {
    start();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      current().breaks();
      pauseUntilNextSocket();
    }
    current().opens();
    current().brings({ type: "snapshot" });
    current().breaks();
    assert.equal(pauseUntilNextSocket(), 300);
  });

  test("there is never more than one attempt at a time", () => {
    start();
    current().breaks();
    window.dispatchEvent(new Event("online"));
    assert.equal(sockets(), 2);
    pass(2000);
    assert.equal(sockets(), 2);
  });

  for (const code of [4401, 4404]) {
    test(`after close code ${code} nothing is tried again`, () => {
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
    test(`after close code ${code} it is tried again`, () => {
      start();
      current().opens();
      current().breaks(code);
      pass(10_000);
      assert.equal(sockets() > 1, true);
    });
  }
});

describe("the device is back", () => {
  /** Break so often that the next attempt is seconds away. */
  function breakForLong() {
    start();
    for (let attempt = 0; attempt < 6; attempt += 1) {
      current().breaks();
      pauseUntilNextSocket();
    }
    current().breaks();
    return sockets();
  }

  test("coming online connects at once, and the pauses begin anew", () => {
    const before = breakForLong();
    window.dispatchEvent(new Event("online"));
    assert.equal(sockets(), before + 1);
    current().breaks();
    assert.equal(pauseUntilNextSocket(), 300);
  });

  test("a page that is seen again connects at once", () => {
    const before = breakForLong();
    page.dispatchEvent(new Event("visibilitychange"));
    assert.equal(sockets(), before + 1);
  });

  test("a page that is hidden does not", () => {
    const before = breakForLong();
    page.hidden = true;
    page.dispatchEvent(new Event("visibilitychange"));
    assert.equal(sockets(), before);
  });

  test("a connection that was silent while the device slept is replaced at once", () => {
    start();
    current().opens();
    // The clock has gone on, but no timer has run.
    const woken = Date.now() + 60_000;
    mock.method(Date, "now", () => woken);
    page.dispatchEvent(new Event("visibilitychange"));
    assert.equal(sockets(), 2);
    assert.equal(FakeSocket.made[0].closed, true);
  });

  test("a living connection is asked, not replaced", () => {
    start();
    current().opens();
    pass(1000);
    page.dispatchEvent(new Event("visibilitychange"));
    assert.equal(sockets(), 1);
    assert.deepEqual(current().sent, [PING]);
  });
});

describe("leaving", () => {
  test("a connection that is left says nothing more and does not come back", () => {
    const { close } = start();
    current().opens();
    close();
    assert.equal(current().closed, true);
    current().brings({ type: "update" });
    current().breaks();
    window.dispatchEvent(new Event("online"));
    pass(60_000);
    assert.equal(sockets(), 1);
    assert.deepEqual(current().sent, []);
    assert.deepEqual(messages, []);
    assert.deepEqual(connections, [true]);
  });

  test("one that was waiting to come back stays away", () => {
    const { close } = start();
    current().breaks();
    close();
    pass(60_000);
    assert.equal(sockets(), 1);
  });
});
