// The texts of each game's board.js: the prompt, and the description of a move.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { describe, test } from "node:test";

import { promptFor, tell } from "../../static/js/words/say.js";
import { entry, snapshot } from "./messages.mjs";

// Boards ask the browser once whether motion is reduced.
globalThis.matchMedia = () => ({ matches: false });

const games = readdirSync(new URL("../../static/games/", import.meta.url));
/** @type {Record<string, any>} */
const boards = {};
for (const game of games) boards[game] = await import(`../../static/games/${game}/board.js`);

const MINE = snapshot(0);
const WATCHED = snapshot(0, { you: [] });

describe("every board, in the worked example of its game", () => {
  for (const game of games) {
    const golden = new URL(`../games/${game.replaceAll("-", "_")}/playthrough.json`, import.meta.url);
    const { first, turns } = JSON.parse(readFileSync(golden, "utf8"));
    const played = turns.filter((turn) => !turn.refused);

    test(`${game} says what to do next`, () => {
      for (const state of [first, ...played.slice(0, -1).map((turn) => turn.state)]) {
        assert.match(promptFor(boards[game], state, true), /^[A-Z].*\.$/);
        assert.match(promptFor(boards[game], state, false), /^Next: .*\.$/);
      }
    });

    test(`${game} describes every move, to the player and to others`, () => {
      for (const { seat, move, events } of played) {
        const told = (you) => tell(boards[game], snapshot(0, { you }), { ...entry(1), seat, move, events });
        assert.match(told([seat]), /^You /);
        assert.doesNotMatch(told([]), /You|[{}]/);
        assert.match(told([]), /(Sleepy Marten|Dapper Finch)/);
      }
    });
  }
});

describe("the prompt", () => {
  const flowers = (one, two, turn) => ({ turn, blossoms: [{ centre: one, petals: [] }, { centre: two, petals: [] }] });
  for (const [game, first, later, named] of [
    ["number-blossoms", flowers(null, null, 1), flowers(6, 8, 2), "8"],
    ["number-tower-duel", { played: [] }, { played: [6, 3] }, "3"],
    ["chain-factor", { played: [] }, { played: [7, 6] }, "6"],
    ["number-eliminator", { played: [] }, { played: [9] }, "9"],
  ]) {
    test(`${game} names the number that limits the move, once there is one`, () => {
      assert.doesNotMatch(promptFor(boards[game], first, true), /\d/);
      assert.match(promptFor(boards[game], later, true), new RegExp(`\\b${named}\\b`));
    });

    test(`${game} prompts the player whose turn it is, and tells the others what comes next`, () => {
      assert.match(promptFor(boards[game], later, false), /^Next: /);
      assert.doesNotMatch(promptFor(boards[game], later, true), /^Next: /);
    });
  }

  test("a grid always has the same prompt", () => {
    assert.equal(promptFor(boards["number-collapse"], {}, true), promptFor(boards["number-collapse"], { cells: [1] }, true));
  });
});

describe("the description of a move", () => {
  test("it says who placed which number on which", () => {
    const events = [{ type: "placed", seat: 1, number: 3, after: 6, count: 2 }];
    assert.equal(tell(boards["number-tower-duel"], MINE, { ...entry(1), events }), "You placed 3 on 6.");
    assert.equal(tell(boards["number-tower-duel"], WATCHED, { ...entry(1), events }), "Sleepy Marten placed 3 on 6.");
  });

  test("it names every number that fell, and the total", () => {
    const events = [
      { type: "taken", seat: 2, number: 9, position: 3 },
      { type: "scored", seat: 2, points: 9, total: 9 },
      { type: "collapsed", seat: 2, number: 5, position: 2, under: 9 },
    ];
    assert.equal(tell(boards["number-collapse"], MINE, { ...entry(2), events }), "Dapper Finch took 9. Total 9. 5 fell.");
  });
});
