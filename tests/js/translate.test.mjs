// German as a reader sees it: names and "du", numbers, and sentences within sentences.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { WON, entry, snapshot } from "./messages.mjs";

// The language is known before any script runs.
globalThis.document = { documentElement: { lang: "de" } };
const { gettext, solverWords, translated } = await import("../../static/js/words/translate.js");
const say = await import("../../static/js/words/say.js");
const judge = await import("../../static/js/words/judgements.js");
globalThis.matchMedia = () => ({ matches: false });
const tower = await import("../../static/games/number-tower-duel/board.js");

const MINE = snapshot(0);
const WATCHED = snapshot(0, { you: [] });
const ONE_DEVICE = snapshot(0, { you: [1, 2], same_device: true });

describe("the server's sentences", () => {
  test("a name, du and a player of one device each have their verb", () => {
    const text = "Player 1 cannot move, because no divisor or multiple of 8 is left.";
    const why = "weil kein Teiler und kein Vielfaches von 8 mehr da ist.";
    assert.equal(say.withNames(MINE, text), `Du kannst nicht ziehen, ${why}`);
    assert.equal(say.withNames(WATCHED, text), `Sleepy Marten kann nicht ziehen, ${why}`);
    assert.equal(say.withNames(ONE_DEVICE, text), `Spieler 1 kann nicht ziehen, ${why}`);
  });

  test("a sentence within a sentence is German too, and lists have their and", () => {
    assert.equal(
      say.withNames(MINE, "Centre 6 fits 2, 3 and 4. With best play by both Player 1 wins, for example like this: nobody can add a petal, and 3 beats 2."),
      "Zur Mitte 6 passt: 2, 3 und 4. Wenn beide am besten spielen, gewinnst du, zum Beispiel so: Niemand kann ein Blütenblatt anlegen, und 3 schlägt 2.",
    );
    assert.equal(translated("7 leaves 2 and 3: answer 2 with 1 and 3 with 9."), "Nach 7 bleiben 2 und 3: Beantworte 2 mit 1 und 3 mit 9.");
  });

  test("what is not known stays as it is", () => {
    assert.equal(translated("Nobody has written this. Yet."), "Nobody has written this. Yet.");
  });

  test("a name is never translated, whatever it looks like", () => {
    const odd = snapshot(0, { you: [], players: { 1: { name: "nothing" }, 2: { name: "Player 1" } } });
    assert.equal(say.withNames(odd, "Player 1 resigned."), "nothing hat aufgegeben.");
    assert.equal(say.withNames(odd, "Player 2 resigned."), "Player 1 hat aufgegeben.");
  });

  test("the computer's name is", () => {
    assert.equal(say.called({ name: "Casual computer" }), "Lockerer Computer");
    assert.equal(say.called({ name: "Ada" }), "Ada");
  });
});

describe("the scripts' own words", () => {
  test("who is meant", () => {
    assert.equal(say.nameOf(MINE, 1), "Du");
    assert.equal(say.nameOf(ONE_DEVICE, 2), "Spieler 2");
    assert.equal(say.turnOf(MINE, 1), "Du bist am Zug");
    assert.equal(say.turnOf(MINE, 2), "Dapper Finch ist am Zug");
    assert.deepEqual(say.resultOf(snapshot(1, { outcome: WON })), ["Dapper Finch gewinnt", "Du hast aufgegeben."]);
    assert.equal(say.resultOf(snapshot(1, { outcome: { ...WON, winner: 1 } }))[0], "Du gewinnst");
  });

  test("what a move did", () => {
    const events = [{ type: "placed", seat: 1, number: 3, after: 6, count: 2 }];
    assert.equal(say.tell(tower, MINE, { ...entry(1), events }), "Du hast 3 auf 6 gesetzt.");
    assert.equal(say.tell(tower, WATCHED, { ...entry(1), events }), "Sleepy Marten hat 3 auf 6 gesetzt.");
  });

  test("numbers are written as Germans write them", () => {
    assert.equal(say.audience(1234), "1.234 im Publikum");
    assert.equal(gettext("Height {height}", { height: 20 }), "Höhe 20");
  });

  test("the words of reviews come with the reviews", async () => {
    await solverWords();
    assert.equal(judge.verdictText({ move: 1, winner: 1, distance: 3 }, 1), "gewinnt in 3 Zügen");
    assert.equal(judge.solutionText(MINE, { turn: 1, winner: 2, distance: 1, verdicts: [], best: [] }), "Dapper Finch gewinnt von hier mit perfektem Spiel in einem Zug.");
    assert.equal(judge.accuracyText(MINE, 1, { kept: 2, mattered: 3 }), "Du: 2 von 3 wichtigen Entscheidungen hielten den Sieg.");
  });
});
