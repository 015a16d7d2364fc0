// What a page that shows another match, or none, tells the reader about.

import assert from "node:assert/strict";
import { test } from "node:test";

import { whatHappened } from "../../static/js/net/me.js";

const MATCH = {
  status: "waiting",
  opponent: { name: "Ada" },
  you: [1],
  version: 3,
  rematch: { offered_by: null, next: null, game: null },
};

/** Return what a change of MATCH means. */
function happened(before, now) {
  return whatHappened(before && { ...MATCH, ...before }, { ...MATCH, ...now });
}

test("the other player has moved", () => {
  assert.equal(happened({}, { status: "your-turn", version: 4 }), "moved");
  assert.equal(happened(undefined, { status: "your-turn", version: 4 }), "moved");
  // It was the reader's turn already.
  assert.equal(happened({ status: "your-turn" }, { status: "your-turn" }), null);
  assert.equal(happened({ status: "your-turn" }, { status: "waiting", version: 4 }), null);
});

test("a friend has joined", () => {
  for (const status of ["your-turn", "waiting"]) {
    assert.equal(happened({ status: "open", version: 0, opponent: null }, { status, version: 0 }), "joined");
  }
  assert.equal(happened({ version: 0 }, { version: 0 }), null);
});

test("a rematch is offered, once", () => {
  const offered = { status: "finished", rematch: { offered_by: 2, next: null, game: null } };
  assert.equal(happened({ status: "finished" }, offered), "rematch");
  assert.equal(happened(offered, offered), null);
  assert.equal(happened({}, { ...offered, you: [2] }), null);
  assert.equal(happened({}, { ...offered, rematch: { offered_by: 2, next: "a", game: null } }), null);
});

test("nobody waits for news of the computer or of a match on one device", () => {
  const moved = { status: "your-turn", version: 4 };
  assert.equal(happened({}, { ...moved, opponent: { name: "Computer", level: "casual" } }), null);
  assert.equal(happened({}, { ...moved, opponent: null }), null);
  assert.equal(happened({}, { ...moved, you: [1, 2] }), null);
});
