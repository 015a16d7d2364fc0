// Sentences: who is meant, and what a move is called.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { choices, claimText, moveText, nameOf, resultOf, turnOf, withNames } from "../../static/js/words/say.js";
import { WON, entry, snapshot } from "./messages.mjs";

const MINE = snapshot(0);
const WATCHED = snapshot(0, { you: [] });
const ONE_DEVICE = snapshot(0, { you: [1, 2], same_device: true });

describe("whom a sentence is about", () => {
  test("I am You, and the other has a name", () => {
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

  test("a free seat has a number only", () => {
    const open = snapshot(0, { players: { 1: { name: "Sleepy Marten" }, 2: null } });
    assert.equal(nameOf(open, 2), "Player 2");
  });
});

describe("the server's sentences with names", () => {
  test("my seat becomes you, the other's the name", () => {
    assert.equal(withNames(MINE, "Player 1 resigned."), "you resigned.");
    assert.equal(withNames(MINE, "Player 2 resigned."), "Dapper Finch resigned.");
  });

  test("the genitive is kept", () => {
    assert.equal(withNames(MINE, "It is Player 1's turn."), "It is your turn.");
    assert.equal(withNames(MINE, "It is Player 2's turn."), "It is Dapper Finch's turn.");
  });

  test("every player of a sentence is named", () => {
    assert.equal(withNames(WATCHED, "Player 1, not Player 2."), "Sleepy Marten, not Dapper Finch.");
  });

  test("on one device the sentence stays as it is", () => {
    assert.equal(withNames(ONE_DEVICE, "It is Player 2's turn."), "It is Player 2's turn.");
  });

  test("a sentence about numbers stays as it is", () => {
    const text = "4 is neither a divisor nor a multiple of 6.";
    assert.equal(withNames(MINE, text), text);
  });

  test("a name that looks like a seat or a pattern is taken as it is", () => {
    const odd = snapshot(0, { you: [], players: { 1: { name: "Player 2" }, 2: { name: "$& $1" } } });
    assert.equal(withNames(odd, "Player 1 and Player 2"), "Player 2 and $& $1");
  });
});

describe("a line of the move list", () => {
  test("a move is its number", () => {
    assert.equal(moveText(entry(1)), "11");
  });

  test("in a grid it is the number that was taken, not the position", () => {
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

describe("what is heard", () => {
  test("numbers that may be played; in a grid those that lie there, not their places", () => {
    assert.match(choices(snapshot(0, { state: {}, legal: [1, 2, 3] })), / 1, 2, 3\.$/);
    assert.match(choices(snapshot(0, { state: { cells: [4, 0, 9] }, legal: [1, 3] })), / 4, 9\.$/);
  });

  test("whose turn it is, and who has won and why", () => {
    assert.equal(turnOf(MINE, 1), "Your turn");
    assert.equal(turnOf(MINE, 2), "Dapper Finch's turn");
    assert.deepEqual(resultOf(snapshot(1, { outcome: WON })), ["Dapper Finch wins", "you resigned."]);
    assert.deepEqual(resultOf(snapshot(1, { outcome: { ...WON, winner: 1 } }))[0], "You win");
    assert.deepEqual(resultOf(MINE), ["", ""]);
  });
});

describe("claiming the win from somebody who is gone", () => {
  const presence = { players: { 1: "here", 2: "away" }, spectators: 0, claim: { seat: 1, in: 65 } };
  const theirTurn = snapshot(1);

  test("the time is counted in minutes and seconds", () => {
    assert.match(claimText(theirTurn, presence, 65), /away.* 1:05\.$/);
    assert.match(claimText(theirTurn, { ...presence, players: { 1: "here", 2: "here" } }, 9), /slow.* 0:09\.$/);
  });

  test("when it has run out, only who can claim is told", () => {
    assert.match(claimText(theirTurn, presence, 0), /You can claim/);
    assert.equal(claimText(snapshot(1, { you: [] }), presence, 0), "");
  });
});
