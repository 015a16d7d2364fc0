// German as a reader sees it: names and "du", numbers, and nested sentences.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { RESIGNED, WON, entry, snapshot } from "./messages.mjs";

// Pages set the language before any script runs.
globalThis.document = { documentElement: { lang: "de" } };
const { gameWords, gettext, solverWords } = await import("../../static/js/words/translate.js");
await gameWords("number-tower-duel");
const say = await import("../../static/js/words/say.js");
const judge = await import("../../static/js/words/judgements.js");
globalThis.matchMedia = () => ({ matches: false });
const tower = await import("../../static/games/number-tower-duel/board.js");

const MINE = snapshot(0);
const WATCHED = snapshot(0, { you: [] });
const ONE_DEVICE = snapshot(0, { you: [1, 2], same_device: true });

describe("the server's sentences", () => {
  const STUCK = {
    template: "{player} can't move: no divisor or multiple of {last} is left.",
    you: "You can't move: no divisor or multiple of {last} is left.",
    values: { player: 1, last: 8 },
  };

  test("the verb fits a name, du, and a player on one device", () => {
    const why = "Kein Teiler und kein Vielfaches von 8 ist mehr da.";
    assert.equal(say.said(MINE, STUCK), `Du kannst nicht ziehen: ${why}`);
    assert.equal(say.said(WATCHED, STUCK), `Sleepy Marten kann nicht ziehen: ${why}`);
    assert.equal(say.said(ONE_DEVICE, STUCK), `Spieler 1 kann nicht ziehen: ${why}`);
  });

  test("a nested sentence is German too, and lists end with und", async () => {
    await solverWords();
    const and = (most, last) => ({ template: "{most} and {last}", values: { most, last } });
    const pair = (reply, answer) => ({ template: "{reply} with {answer}", values: { reply, answer } });
    const sentence = { template: "{move} leaves {replies}: answer {pairs}.", values: { move: 7, replies: and([2], 3), pairs: and([pair(2, 1)], pair(3, 9)) } };
    assert.equal(say.said(MINE, sentence), "Nach 7 bleiben 2 und 3: Beantworte 2 mit 1 und 3 mit 9.");
  });

  test("a sentence without a translation stays English", () => {
    assert.equal(say.said(null, { template: "Nobody has written this, {name}.", values: { name: "Ada" } }), "Nobody has written this, Ada.");
  });

  test("a player's name is never translated, whatever it looks like", () => {
    const odd = snapshot(0, { you: [], players: { 1: { name: "nothing" }, 2: { name: "Casual computer" } } });
    assert.equal(say.said(odd, RESIGNED), "nothing hat aufgegeben.");
    assert.equal(say.said(odd, { ...RESIGNED, values: { player: 2 } }), "Casual computer hat aufgegeben.");
  });

  test("the name of a computer is translated", () => {
    assert.equal(say.called({ name: "Casual computer", level: "casual" }), "Lockerer Computer");
    assert.equal(say.called({ name: "Casual computer" }), "Casual computer");
  });
});

describe("texts of the scripts", () => {
  test("the reader is Du, and the opponent has a name", () => {
    assert.equal(say.nameOf(MINE, 1), "Du");
    assert.equal(say.nameOf(ONE_DEVICE, 2), "Spieler 2");
    assert.equal(say.turnOf(MINE, 1), "Du bist am Zug");
    assert.equal(say.turnOf(MINE, 2), "Dapper Finch ist am Zug");
    assert.deepEqual(say.resultOf(snapshot(1, { outcome: WON })), ["Dapper Finch gewinnt", "Du hast aufgegeben."]);
    assert.equal(say.resultOf(snapshot(1, { outcome: { ...WON, winner: 1 } }))[0], "Du gewinnst");
  });

  test("the description of a move", () => {
    const events = [{ type: "placed", seat: 1, number: 3, after: 6, count: 2 }];
    assert.equal(say.tell(tower, MINE, { ...entry(1), events }), "Du hast 3 auf 6 gesetzt.");
    assert.equal(say.tell(tower, WATCHED, { ...entry(1), events }), "Sleepy Marten hat 3 auf 6 gesetzt.");
  });

  test("numbers use the German format", () => {
    assert.equal(say.audience(1234), "1.234 im Publikum");
    assert.equal(gettext("Height {height}", { height: 20 }), "Höhe 20");
  });

  test("the words for reviews are loaded when needed", async () => {
    await solverWords();
    assert.equal(judge.verdictText({ move: 1, winner: 1, distance: 3 }, 1), "gewinnt in 3 Zügen");
    assert.equal(judge.solutionText(MINE, { turn: 1, winner: 2, distance: 1, verdicts: [], best: [] }), "Dapper Finch gewinnt von hier mit perfektem Spiel in einem Zug.");
    assert.equal(judge.accuracyText(MINE, 1, { kept: 2, mattered: 3 }), "Du: 2 von 3 wichtigen Entscheidungen hielten den Sieg.");
  });
});
