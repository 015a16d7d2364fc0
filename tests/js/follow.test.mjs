// Following a match: versions, a move on its way, looking back.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Follower, applyUpdate } from "../../static/js/net/follow.js";
import { DOCUMENTED, WON, entry, snapshot, update } from "./messages.mjs";

/** A follower that has taken these messages; its ids are a, b, c … */
function following(...messages) {
  const ids = [..."abcdef"];
  const follower = new Follower(() => ids.shift());
  for (const message of messages) follower.receive(message);
  return follower;
}

const NOTHING_NEW = { entries: [], gap: false };

describe("putting an update on a snapshot", () => {
  test("everything about the position is the update's, everything else stays", () => {
    const after = applyUpdate(snapshot(1), update(2, { legal: [7], why: { 8: "Why." }, turn: 2, state: { new: true } }));
    assert.deepEqual(
      after,
      snapshot(2, {
        legal: [7],
        why: { 8: "Why." },
        turn: 2,
        state: { new: true },
        history: [entry(1), { ...entry(2), state: { new: true } }],
      }),
    );
  });

  test("the reasons of the update replace those of the snapshot", () => {
    const reason = (number) => ({ numbers: [number], template: "Not {number}.", values: { number } });
    const after = applyUpdate(snapshot(1, { reasons: [reason(8)] }), update(2, { reasons: [reason(9)] }));
    assert.deepEqual(after.reasons, [reason(9)]);
  });

  test("the snapshot itself does not change", () => {
    const before = snapshot(1);
    applyUpdate(before, update(2));
    assert.deepEqual(before, snapshot(1));
  });

  test("an outcome finishes the match and brings the new score", () => {
    const series = { number: 1, score: { 1: 0, 2: 1 } };
    const after = applyUpdate(snapshot(1), update(2, { outcome: WON, series }));
    assert.equal(after.status, "finished");
    assert.deepEqual(after.outcome, WON);
    assert.deepEqual(after.series, series);
  });

  test("without an outcome the status stays", () => {
    assert.equal(applyUpdate(snapshot(1), update(2)).status, "live");
  });
});

describe("taking messages", () => {
  test("before anything has come there is nothing to show and nothing to play", () => {
    const follower = following();
    assert.equal(follower.version, 0);
    assert.equal(follower.shownState, null);
    assert.equal(follower.shownEntry, null);
    assert.equal(follower.mayMove, false);
    assert.equal(follower.choose(1), null);
  });

  test("the first snapshot is taken, and its history is no news", () => {
    const follower = following();
    assert.deepEqual(follower.receive(snapshot(3)), NOTHING_NEW);
    assert.equal(follower.version, 3);
    assert.deepEqual(follower.shownState, { after: 3 });
    assert.deepEqual(follower.shownEntry, entry(3));
  });

  test("an update before the first snapshot is left alone", () => {
    const follower = following();
    assert.deepEqual(follower.receive(update(1)), NOTHING_NEW);
    assert.equal(follower.snapshot, null);
  });

  test("the next update is taken, and is the news", () => {
    const follower = following(snapshot(1));
    assert.deepEqual(follower.receive(update(2)), { entries: [entry(2)], gap: false });
    assert.equal(follower.version, 2);
    assert.deepEqual(follower.shownState, { after: 2 });
  });

  test("an update that skips a version is a gap and is not taken", () => {
    const follower = following(snapshot(1));
    assert.deepEqual(follower.receive(update(3)), { entries: [], gap: true });
    assert.deepEqual(follower.snapshot, snapshot(1));
  });

  test("an update already known, or older, is dropped and is no gap", () => {
    const follower = following(snapshot(2));
    assert.deepEqual(follower.receive(update(2, { state: "wrong" })), NOTHING_NEW);
    assert.deepEqual(follower.receive(update(1, { state: "wrong" })), NOTHING_NEW);
    assert.deepEqual(follower.snapshot, snapshot(2));
  });

  test("a snapshot after a gap tells all that was missed", () => {
    const follower = following(snapshot(1), update(4));
    assert.deepEqual(follower.receive(snapshot(4)), { entries: [entry(2), entry(3), entry(4)], gap: false });
    assert.equal(follower.version, 4);
  });

  test("a snapshot older than what is known is dropped", () => {
    const follower = following(snapshot(1), update(2));
    assert.deepEqual(follower.receive(snapshot(1, { status: "open" })), NOTHING_NEW);
    assert.deepEqual(follower.snapshot, snapshot(2));
  });

  test("a snapshot of the same version is taken: something other than a move has changed", () => {
    const follower = following(snapshot(0, { status: "open" }));
    assert.deepEqual(follower.receive(snapshot(0)), NOTHING_NEW);
    assert.equal(follower.snapshot.status, "live");
  });

  test("presence is kept, and leaves the snapshot alone", () => {
    const follower = following(snapshot(1));
    const presence = { type: "presence", players: { 1: "here", 2: "away" }, spectators: 3, claim: null };
    assert.deepEqual(follower.receive(presence), NOTHING_NEW);
    assert.deepEqual(follower.presence, presence);
    assert.deepEqual(follower.snapshot, snapshot(1));
  });

  test("an offered rematch, and the match it leads to, become part of the snapshot", () => {
    const follower = following(snapshot(2));
    follower.receive({ type: "rematch", offered_by: 2, next: null });
    assert.deepEqual(follower.snapshot, snapshot(2, { rematch: { offered_by: 2, next: null } }));
    follower.receive({ type: "rematch", offered_by: 2, next: "77gydxsm" });
    assert.deepEqual(follower.snapshot.rematch, { offered_by: 2, next: "77gydxsm" });
  });

  test("a pong changes nothing", () => {
    const follower = following(snapshot(1));
    assert.deepEqual(follower.receive({ type: "pong", version: 1, time: 0 }), NOTHING_NEW);
    assert.deepEqual(follower.snapshot, snapshot(1));
  });

  test("the documented messages lead from the snapshot to the end", () => {
    const documented = (type) => DOCUMENTED.filter((message) => message.type === type);
    const follower = following(...documented("snapshot"), ...documented("update"));
    assert.equal(follower.version, 3);
    assert.equal(follower.snapshot.status, "finished");
    assert.equal(follower.snapshot.outcome.winner, 2);
    assert.deepEqual(follower.snapshot.series.score, { 1: 0, 2: 1 });
    assert.deepEqual(follower.snapshot.history.map((made) => made.move), [6, 3, null]);
  });
});

describe("a move on its way", () => {
  test("a legal move on one's own turn makes the documented message", () => {
    const follower = following(snapshot(2));
    assert.equal(follower.mayMove, true);
    const message = follower.choose(1);
    assert.deepEqual(message, { type: "move", move: 1, version: 2, id: "a" });
    const documented = DOCUMENTED.find((example) => example.type === "move");
    assert.deepEqual(Object.keys(message).sort(), Object.keys(documented).sort());
  });

  test("a move that is not legal is not sent", () => {
    const follower = following(snapshot(2));
    assert.equal(follower.choose(3), null);
    assert.equal(follower.pending, null);
  });

  for (const [who, changes] of [
    ["the other player's turn", { turn: 2 }],
    ["a spectator", { you: [] }],
    ["a match that waits for a friend", { status: "open" }],
    ["a finished match", { status: "finished", outcome: WON }],
    ["a match that was closed", { status: "unfinished" }],
  ]) {
    test(`nothing is sent for ${who}`, () => {
      const follower = following(snapshot(2, changes));
      assert.equal(follower.mayMove, false);
      assert.equal(follower.choose(1), null);
      assert.equal(follower.pending, null);
    });
  }

  test("on one device both players move", () => {
    const follower = following(snapshot(2, { you: [1, 2] }));
    assert.equal(follower.choose(1).version, 2);
    follower.receive(update(3));
    assert.equal(follower.choose(2).version, 3);
  });

  test("a second move is not sent while the first is on its way", () => {
    const follower = following(snapshot(2));
    follower.choose(1);
    assert.equal(follower.mayMove, false);
    assert.equal(follower.choose(2), null);
    assert.equal(follower.pending.move, 1);
  });

  test("it is sent again with the same id, as often as it takes", () => {
    const follower = following(snapshot(2));
    const sent = follower.choose(1);
    assert.deepEqual(follower.pendingMessage(), sent);
    assert.deepEqual(follower.pendingMessage(), sent);
  });

  test("without one there is nothing to send again", () => {
    assert.equal(following(snapshot(2)).pendingMessage(), null);
  });

  test("it is kept over a break if the match still stands where it stood", () => {
    const follower = following(snapshot(2));
    const sent = follower.choose(1);
    follower.receive(snapshot(2));
    follower.receive({ type: "presence", players: { 1: "here", 2: null }, spectators: 0, claim: null });
    assert.deepEqual(follower.pendingMessage(), sent);
  });

  test("it is over when its update comes", () => {
    const follower = following(snapshot(2));
    follower.choose(1);
    follower.receive(update(3, { id: "a", move: 1 }));
    assert.equal(follower.pendingMessage(), null);
  });

  test("it is over when a snapshot shows that the match went on", () => {
    const follower = following(snapshot(2));
    follower.choose(1);
    follower.receive(snapshot(4));
    assert.equal(follower.pendingMessage(), null);
    assert.equal(follower.mayMove, true);
  });

  test("it is over when the match has ended, even on the same version", () => {
    const follower = following(snapshot(2));
    follower.choose(1);
    follower.receive(snapshot(2, { status: "finished", outcome: WON }));
    assert.equal(follower.pendingMessage(), null);
  });

  test("it stays when an update shows a gap, until the snapshot comes", () => {
    const follower = following(snapshot(2));
    follower.choose(1);
    follower.receive(update(4));
    assert.notEqual(follower.pendingMessage(), null);
    follower.receive(snapshot(4));
    assert.equal(follower.pendingMessage(), null);
  });

  test("a refusal ends it and is kept to be shown, and another move may be chosen", () => {
    const follower = following(snapshot(2));
    follower.choose(1);
    const refusal = { type: "rejected", id: "a", code: "breaks_rule", text: "No.", version: 2 };
    follower.receive(refusal);
    assert.equal(follower.pendingMessage(), null);
    assert.equal(follower.rejection, refusal);
    assert.equal(follower.choose(2).id, "b");
    assert.equal(follower.rejection, null);
  });

  test("a refusal of something else leaves it alone", () => {
    const follower = following(snapshot(2));
    const sent = follower.choose(1);
    follower.receive({ type: "rejected", id: "z", code: "too_early", text: "No.", version: 2 });
    follower.receive({ type: "rejected", id: null, code: "malformed", text: "No.", version: 2 });
    assert.deepEqual(follower.pendingMessage(), sent);
    assert.equal(follower.rejection, null);
  });
});

describe("looking back", () => {
  test("an earlier version shows its state and what led to it", () => {
    const follower = following(snapshot(3));
    follower.lookAt(2);
    assert.equal(follower.isLive, false);
    assert.equal(follower.shownVersion, 2);
    assert.deepEqual(follower.shownState, { after: 2 });
    assert.deepEqual(follower.shownEntry, entry(2));
  });

  test("the beginning shows the first state, to which nothing led", () => {
    const follower = following(snapshot(3));
    follower.lookAt(0);
    assert.equal(follower.isLive, false);
    assert.equal(follower.shownVersion, 0);
    assert.deepEqual(follower.shownState, { after: 0 });
    assert.equal(follower.shownEntry, null);
  });

  test("nobody can look before the beginning or beyond the newest version", () => {
    const follower = following(snapshot(3));
    follower.lookAt(-1);
    assert.equal(follower.shownVersion, 0);
    follower.lookAt(9);
    assert.equal(follower.shownVersion, 3);
    assert.equal(follower.isLive, true);
  });

  test("the newest version is live again, and follows the match", () => {
    const follower = following(snapshot(3));
    follower.lookAt(1);
    follower.lookAt(3);
    assert.equal(follower.isLive, true);
    follower.receive(update(4));
    assert.equal(follower.shownVersion, 4);
  });

  test("a live update does not move someone who looks back", () => {
    const follower = following(snapshot(3));
    follower.lookAt(2);
    assert.deepEqual(follower.receive(update(4)), { entries: [entry(4)], gap: false });
    assert.equal(follower.version, 4);
    assert.equal(follower.shownVersion, 2);
    assert.deepEqual(follower.shownState, { after: 2 });
    assert.deepEqual(follower.shownEntry, entry(2));
  });

  test("nor does a snapshot after a break", () => {
    const follower = following(snapshot(3));
    follower.lookAt(2);
    follower.receive(snapshot(6));
    assert.equal(follower.shownVersion, 2);
    assert.deepEqual(follower.shownState, { after: 2 });
  });

  test("returning to live shows what happened meanwhile", () => {
    const follower = following(snapshot(3));
    follower.lookAt(2);
    follower.receive(update(4));
    follower.lookAt(follower.version);
    assert.equal(follower.isLive, true);
    assert.equal(follower.shownVersion, 4);
    assert.deepEqual(follower.shownState, { after: 4 });
  });

  test("nothing can be played while looking back, and everything again once live", () => {
    const follower = following(snapshot(2));
    follower.lookAt(0);
    assert.equal(follower.mayMove, false);
    assert.equal(follower.choose(1), null);
    follower.lookAt(follower.version);
    assert.equal(follower.mayMove, true);
    assert.notEqual(follower.choose(1), null);
  });

  test("looking back does not stop a move that is on its way", () => {
    const follower = following(snapshot(2));
    const sent = follower.choose(1);
    follower.lookAt(0);
    assert.deepEqual(follower.pendingMessage(), sent);
  });

  test("before the first snapshot there is nothing to look back at", () => {
    const follower = following();
    follower.lookAt(5);
    assert.equal(follower.isLive, true);
  });
});
