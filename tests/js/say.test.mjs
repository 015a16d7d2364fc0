// Sentences: how they name players and moves.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { choices, claimText, moveText, nameOf, resultOf, said, turnOf, unseenText, whyNot } from "../../static/js/words/say.js";
import { RESIGNED, WON, entry, snapshot } from "./messages.mjs";

const MINE = snapshot(0);
const WATCHED = snapshot(0, { you: [] });
const ONE_DEVICE = snapshot(0, { you: [1, 2], same_device: true });

describe("the name of a player", () => {
  test("the reader is You, and the opponent has a name", () => {
    assert.equal(nameOf(MINE, 1), "You");
    assert.equal(nameOf(MINE, 2), "Dapper Finch");
  });

  test("a spectator sees both names", () => {
    assert.equal(nameOf(WATCHED, 1), "Sleepy Marten");
    assert.equal(nameOf(WATCHED, 2), "Dapper Finch");
  });

  test("on one device nobody is You", () => {
    assert.equal(nameOf(ONE_DEVICE, 1), "Player 1");
    assert.equal(nameOf(ONE_DEVICE, 2), "Player 2");
  });

  test("a free seat has only a number", () => {
    const open = snapshot(0, { players: { 1: { name: "Sleepy Marten" }, 2: null } });
    assert.equal(nameOf(open, 2), "Player 2");
  });
});

describe("the server's sentences", () => {
  const about = (player) => ({ ...RESIGNED, values: { player } });

  test("they call the reader you and the opponent by name", () => {
    assert.equal(said(MINE, about(1)), "You resigned.");
    assert.equal(said(MINE, about(2)), "Dapper Finch resigned.");
  });

  test("spectators read both names, and on one device nobody is you", () => {
    assert.equal(said(WATCHED, about(1)), "Sleepy Marten resigned.");
    assert.equal(said(ONE_DEVICE, about(2)), "Player 2 resigned.");
  });

  test("a sentence within a sentence has its own you", () => {
    const outer = { template: "{move} ends the match. {reason}", values: { move: 7, reason: about(1) } };
    assert.equal(said(MINE, outer), "7 ends the match. You resigned.");
    assert.equal(said(WATCHED, outer), "7 ends the match. Sleepy Marten resigned.");
  });

  test("a list is joined with commas", () => {
    assert.equal(said(null, { template: "It fits {numbers}.", values: { numbers: [2, 3, { template: "{a} with {b}", values: { a: 4, b: 5 } }] } }), "It fits 2, 3, 4 with 5.");
  });

  test("a name that looks like a placeholder or a pattern is left as it is", () => {
    const odd = snapshot(0, { you: [], players: { 1: { name: "{player}" }, 2: { name: "$& $1" } } });
    assert.equal(said(odd, about(1)), "{player} resigned.");
    assert.equal(said(odd, about(2)), "$& $1 resigned.");
  });

  test("one reason can apply to several numbers", () => {
    const reasons = [{ numbers: [4, 5], template: "{number} is neither a divisor nor a multiple of {last}.", values: { last: 6 } }];
    assert.equal(whyNot(MINE, { reasons }, 4), "4 is neither a divisor nor a multiple of 6.");
    assert.equal(whyNot(MINE, { reasons }, "5"), "5 is neither a divisor nor a multiple of 6.");
    assert.equal(whyNot(MINE, { reasons }, 9), "9 has already been played.");
  });
});

describe("an entry in the move list", () => {
  test("a move is its number", () => {
    assert.equal(moveText(entry(1)), "11");
  });

  test("in a grid, a move is the number that was taken, not its position", () => {
    const events = [{ type: "taken", seat: 1, number: 8, position: 3 }, { type: "scored", seat: 1, points: 8, total: 8 }];
    assert.equal(moveText({ ...entry(1), move: 3, events }), "8");
  });

  test("a pass, a resignation and a claim are words", () => {
    const ending = { ...entry(1), move: null, events: [] };
    assert.equal(moveText({ ...ending, move: "pass" }), "pass");
    assert.equal(moveText({ ...ending, decision: "resign" }), "resigns");
    assert.equal(moveText({ ...ending, decision: "claim" }), "claims the win");
  });
});

describe("what a screen reader says", () => {
  test("it lists the numbers that can be played; in a grid, the numbers and not their positions", () => {
    assert.match(choices({}, snapshot(0, { state: {}, legal: [1, 2, 3] })), / 1, 2, 3\.$/);
    assert.match(choices({ numberOf: ({ cells }, position) => cells[position - 1] }, snapshot(0, { state: { cells: [4, 0, 9] }, legal: [1, 3] })), / 4, 9\.$/);
  });

  test("it says whose turn it is, and who won and why", () => {
    assert.equal(turnOf(MINE, 1), "Your turn");
    assert.equal(turnOf(MINE, 2), "Dapper Finch's turn");
    assert.deepEqual(resultOf(snapshot(1, { outcome: WON })), ["Dapper Finch wins", "You resigned."]);
    assert.deepEqual(resultOf(snapshot(1, { outcome: { ...WON, winner: 1 } }))[0], "You win");
    assert.deepEqual(resultOf(MINE), ["", ""]);
  });
});

describe("claiming the win when the opponent is gone", () => {
  const presence = { players: { 1: "here", 2: "away" }, spectators: 0, claim: { seat: 1, in: 65 } };
  const theirTurn = snapshot(1);

  test("the countdown shows minutes and seconds", () => {
    assert.match(claimText(theirTurn, presence, 65), /away.* 1:05\.$/);
    assert.match(claimText(theirTurn, { ...presence, players: { 1: "here", 2: "here" } }, 9), /taking a while.* 0:09\.$/);
  });

  test("days and hours are rounded up, and the last hour is counted down", () => {
    for (const [seconds, text] of [[259_200, "3 days"], [172_801, "3 days"], [172_799, "48 hours"], [3601, "2 hours"], [3600, "60:00"]]) {
      assert.match(claimText(theirTurn, presence, seconds), new RegExp(`You can claim the win in ${text}\\.$`));
    }
  });

  test("nothing can be claimed from a player who hasn't opened the match, and the opponent is told so", () => {
    const unseen = { ...presence, unseen: [2], claim: null };
    const now = { ...theirTurn, pace: "now" };
    assert.match(unseenText(now, unseen), /^Dapper Finch hasn't opened the match yet\./);
    assert.equal(unseenText(now, { ...unseen, unseen: [] }), "");
    assert.equal(unseenText({ ...now, turn: 1 }, unseen), "");
    assert.equal(unseenText({ ...now, you: [2] }, unseen), "");
    assert.equal(unseenText({ ...now, pace: "no-hurry" }, unseen), "");
    // A process of an earlier version doesn't say who hasn't opened the match.
    assert.equal(unseenText(now, { ...unseen, unseen: undefined }), "");
  });

  test("when it runs out, only the player who can claim is told", () => {
    assert.match(claimText(theirTurn, presence, 0), /You can claim/);
    assert.equal(claimText(snapshot(1, { you: [] }), presence, 0), "");
  });
});
