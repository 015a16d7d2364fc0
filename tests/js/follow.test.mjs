// Following a match: versions, the pending move, looking back.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Follower, applyUpdate } from "../../static/js/net/follow.js";
import { DOCUMENTED, WON, entry, snapshot, update } from "./messages.mjs";

/** A follower that has received these messages; its ids are a, b, c … */
function following(...messages) {
  const ids = [..."abcdef"];
  const follower = new Follower(() => ids.shift());
  for (const message of messages) follower.receive(message);
  return follower;
}

const NOTHING_NEW = { entries: [], gap: false };

describe("applying an update to a snapshot", () => {
  test("the position comes from the update, everything else stays", () => {
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

  test("an outcome finishes the match and updates the score", () => {
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

describe("receiving messages", () => {
  test("before the first message there is nothing to show or play", () => {
    const follower = following();
    assert.equal(follower.version, 0);
    assert.equal(follower.shownState, null);
    assert.equal(follower.shownEntry, null);
    assert.equal(follower.mayMove, false);
    assert.equal(follower.choose(1), null);
  });

  test("the first snapshot is kept, and its history is not new", () => {
    const follower = following();
    assert.deepEqual(follower.receive(snapshot(3)), NOTHING_NEW);
    assert.equal(follower.version, 3);
    assert.deepEqual(follower.shownState, { after: 3 });
    assert.deepEqual(follower.shownEntry, entry(3));
  });

  test("an update before the first snapshot is ignored", () => {
    const follower = following();
    assert.deepEqual(follower.receive(update(1)), NOTHING_NEW);
    assert.equal(follower.snapshot, null);
  });

  test("the next update is applied, and its move is new", () => {
    const follower = following(snapshot(1));
    assert.deepEqual(follower.receive(update(2)), { entries: [entry(2)], gap: false });
    assert.equal(follower.version, 2);
    assert.deepEqual(follower.shownState, { after: 2 });
  });

  test("an update that skips a version is a gap and is not applied", () => {
    const follower = following(snapshot(1));
    assert.deepEqual(follower.receive(update(3)), { entries: [], gap: true });
    assert.deepEqual(follower.snapshot, snapshot(1));
  });

  test("a known or older update is dropped and is not a gap", () => {
    const follower = following(snapshot(2));
    assert.deepEqual(follower.receive(update(2, { state: "wrong" })), NOTHING_NEW);
    assert.deepEqual(follower.receive(update(1, { state: "wrong" })), NOTHING_NEW);
    assert.deepEqual(follower.snapshot, snapshot(2));
  });

  test("a snapshot after a gap brings all moves that were missed", () => {
    const follower = following(snapshot(1), update(4));
    assert.deepEqual(follower.receive(snapshot(4)), { entries: [entry(2), entry(3), entry(4)], gap: false });
    assert.equal(follower.version, 4);
  });

  test("an older snapshot is dropped, and is a gap: the server has missed something", () => {
    const follower = following(snapshot(1), update(2));
    assert.deepEqual(follower.receive(snapshot(1, { status: "open" })), { entries: [], gap: true });
    assert.deepEqual(follower.snapshot, snapshot(2));
  });

  test("a snapshot of the same version is kept: something other than a move has changed", () => {
    const follower = following(snapshot(0, { status: "open" }));
    assert.deepEqual(follower.receive(snapshot(0)), NOTHING_NEW);
    assert.equal(follower.snapshot.status, "live");
  });

  test("presence is kept and does not change the snapshot", () => {
    const follower = following(snapshot(1));
    const presence = { type: "presence", players: { 1: "here", 2: "away" }, spectators: 3, claim: null };
    assert.deepEqual(follower.receive(presence), NOTHING_NEW);
    assert.deepEqual(follower.presence, presence);
    assert.deepEqual(follower.snapshot, snapshot(1));
  });

  test("an offered rematch, and the match it leads to, become part of the snapshot", () => {
    const follower = following(snapshot(2));
    const rematch = { offered_by: 2, game: "chain-factor", next: null };
    follower.receive({ type: "rematch", ...rematch });
    assert.deepEqual(follower.snapshot, snapshot(2, { rematch }));
    follower.receive({ type: "rematch", ...rematch, next: "77gydxsm" });
    assert.deepEqual(follower.snapshot.rematch, { ...rematch, next: "77gydxsm" });
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

describe("the pending move", () => {
  test("a legal move on your turn makes the documented message", () => {
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
    ["an open invitation", { status: "open" }],
    ["a finished match", { status: "finished", outcome: WON }],
    ["a match that was closed", { status: "unfinished" }],
  ]) {
    test(`nothing is sent: ${who}`, () => {
      const follower = following(snapshot(2, changes));
      assert.equal(follower.mayMove, false);
      assert.equal(follower.choose(1), null);
      assert.equal(follower.pending, null);
    });
  }

  test("on one device both players can move", () => {
    const follower = following(snapshot(2, { you: [1, 2] }));
    assert.equal(follower.choose(1).version, 2);
    follower.receive(update(3));
    assert.equal(follower.choose(2).version, 3);
  });

  test("a second move is not sent while the first is pending", () => {
    const follower = following(snapshot(2));
    follower.choose(1);
    assert.equal(follower.mayMove, false);
    assert.equal(follower.choose(2), null);
    assert.equal(follower.pending.move, 1);
  });

  test("every retry has the same id", () => {
    const follower = following(snapshot(2));
    const sent = follower.choose(1);
    assert.deepEqual(follower.pendingMessage(), sent);
    assert.deepEqual(follower.pendingMessage(), sent);
  });

  test("without a pending move there is nothing to retry", () => {
    assert.equal(following(snapshot(2)).pendingMessage(), null);
  });

  test("it survives a reconnect if the version is the same", () => {
    const follower = following(snapshot(2));
    const sent = follower.choose(1);
    follower.receive(snapshot(2));
    follower.receive({ type: "presence", players: { 1: "here", 2: null }, spectators: 0, claim: null });
    assert.deepEqual(follower.pendingMessage(), sent);
  });

  test("its update settles it", () => {
    const follower = following(snapshot(2));
    follower.choose(1);
    follower.receive(update(3, { id: "a", move: 1 }));
    assert.equal(follower.pendingMessage(), null);
  });

  test("a snapshot with a newer version settles it", () => {
    const follower = following(snapshot(2));
    follower.choose(1);
    follower.receive(snapshot(4));
    assert.equal(follower.pendingMessage(), null);
    assert.equal(follower.mayMove, true);
  });

  test("the end of the match settles it, even on the same version", () => {
    const follower = following(snapshot(2));
    follower.choose(1);
    follower.receive(snapshot(2, { status: "finished", outcome: WON }));
    assert.equal(follower.pendingMessage(), null);
  });

  test("it stays pending after a gap, until the snapshot arrives", () => {
    const follower = following(snapshot(2));
    follower.choose(1);
    follower.receive(update(4));
    assert.notEqual(follower.pendingMessage(), null);
    follower.receive(snapshot(4));
    assert.equal(follower.pendingMessage(), null);
  });

  test("a rejection is kept to be shown, and another move may be chosen", () => {
    const follower = following(snapshot(2));
    follower.choose(1);
    const rejection = { type: "rejected", id: "a", code: "breaks_rule", text: "No.", version: 2 };
    follower.receive(rejection);
    assert.equal(follower.pendingMessage(), null);
    assert.equal(follower.rejection, rejection);
    assert.equal(follower.choose(2).id, "b");
    assert.equal(follower.rejection, null);
  });

  test("a rejection of another request does not change it", () => {
    const follower = following(snapshot(2));
    const sent = follower.choose(1);
    follower.receive({ type: "rejected", id: "z", code: "too_early", text: "No.", version: 2 });
    follower.receive({ type: "rejected", id: null, code: "malformed", text: "No.", version: 2 });
    assert.deepEqual(follower.pendingMessage(), sent);
    assert.equal(follower.rejection, null);
  });
});

describe("looking back", () => {
  test("an earlier version shows its state and its move", () => {
    const follower = following(snapshot(3));
    follower.lookAt(2);
    assert.equal(follower.isLive, false);
    assert.equal(follower.shownVersion, 2);
    assert.deepEqual(follower.shownState, { after: 2 });
    assert.deepEqual(follower.shownEntry, entry(2));
  });

  test("version 0 shows the first state and no move", () => {
    const follower = following(snapshot(3));
    follower.lookAt(0);
    assert.equal(follower.isLive, false);
    assert.equal(follower.shownVersion, 0);
    assert.deepEqual(follower.shownState, { after: 0 });
    assert.equal(follower.shownEntry, null);
  });

  test("versions out of range are clamped", () => {
    const follower = following(snapshot(3));
    follower.lookAt(-1);
    assert.equal(follower.shownVersion, 0);
    follower.lookAt(9);
    assert.equal(follower.shownVersion, 3);
    assert.equal(follower.isLive, true);
  });

  test("the newest version is live again and follows the match", () => {
    const follower = following(snapshot(3));
    follower.lookAt(1);
    follower.lookAt(3);
    assert.equal(follower.isLive, true);
    follower.receive(update(4));
    assert.equal(follower.shownVersion, 4);
  });

  test("an update does not change what someone looking back sees", () => {
    const follower = following(snapshot(3));
    follower.lookAt(2);
    assert.deepEqual(follower.receive(update(4)), { entries: [entry(4)], gap: false });
    assert.equal(follower.version, 4);
    assert.equal(follower.shownVersion, 2);
    assert.deepEqual(follower.shownState, { after: 2 });
    assert.deepEqual(follower.shownEntry, entry(2));
  });

  test("nor does a snapshot after a reconnect", () => {
    const follower = following(snapshot(3));
    follower.lookAt(2);
    follower.receive(snapshot(6));
    assert.equal(follower.shownVersion, 2);
    assert.deepEqual(follower.shownState, { after: 2 });
  });

  test("returning to live shows what has happened since", () => {
    const follower = following(snapshot(3));
    follower.lookAt(2);
    follower.receive(update(4));
    follower.lookAt(follower.version);
    assert.equal(follower.isLive, true);
    assert.equal(follower.shownVersion, 4);
    assert.deepEqual(follower.shownState, { after: 4 });
  });

  test("nothing can be played while looking back", () => {
    const follower = following(snapshot(2));
    follower.lookAt(0);
    assert.equal(follower.mayMove, false);
    assert.equal(follower.choose(1), null);
    follower.lookAt(follower.version);
    assert.equal(follower.mayMove, true);
    assert.notEqual(follower.choose(1), null);
  });

  test("looking back does not cancel the pending move", () => {
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
