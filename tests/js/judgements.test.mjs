// The English texts of a review.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { accuracyText, holderText, markText, solutionText, verdictText } from "../../static/js/words/judgements.js";
import { snapshot } from "./messages.mjs";

const MINE = snapshot(0);

describe("the text about a move", () => {
  const mark = { number: 3, seat: 2, move: 6, mattered: true, keeping: [], best: [], sentence: "" };

  for (const [kind, expected] of [
    ["kept", "Move 3, Dapper Finch: 6 kept the win."],
    ["gave_away", "Move 3, Dapper Finch: 6 gave the win away."],
    ["already_lost", "Move 3, Dapper Finch: 6. Every move was losing by then."],
    ["unsolved", "Move 3, Dapper Finch: 6 is too far from the end to judge."],
  ]) {
    test(`of the kind ${kind}`, () => assert.equal(markText(MINE, { ...mark, kind }, "6"), expected));
  }

  test("it says who wins, and in how many moves", () => {
    assert.equal(verdictText({ move: 1, winner: null, distance: null }, 1), "not solved");
    assert.equal(verdictText({ move: 1, winner: 1, distance: null }, 1), "wins");
    assert.equal(verdictText({ move: 1, winner: 2, distance: 1 }, 1), "loses in one move");
    assert.equal(verdictText({ move: 1, winner: 1, distance: 4 }, 1), "wins in 4 moves");
  });
});

test("a solved position says who wins with perfect play", () => {
  const solution = { turn: 1, verdicts: [], best: [] };
  assert.match(solutionText(MINE, { ...solution, winner: null, distance: null }), /too large/);
  assert.equal(solutionText(MINE, { ...solution, winner: 1, distance: 2 }), "You win from here with perfect play in 2 moves.");
  assert.equal(solutionText(MINE, { ...solution, winner: 2, distance: 1 }), "Dapper Finch wins from here with perfect play in one move.");
});

test("the summary says how well each player chose, and who was winning when", () => {
  assert.equal(accuracyText(MINE, 1, { kept: 0, mattered: 0 }), "You: no choice mattered.");
  assert.equal(accuracyText(MINE, 2, { kept: 1, mattered: 2 }), "Dapper Finch: 1 of 2 choices that mattered kept the win.");
  assert.equal(holderText(MINE, 0, null), "At the beginning: not solved");
  assert.equal(holderText(MINE, 4, 2), "After move 4: Dapper Finch");
});
