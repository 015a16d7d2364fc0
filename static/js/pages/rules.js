// A rules page: a match to step through on a real board, which also says why not.

import { shake } from "../parts/animate.js";
import { loadBoard } from "../parts/boards.js";
import { find, setText } from "../parts/dom.js";
import { hideReason, showReason } from "../parts/bubble.js";
import { WORDS, playedAlready } from "../words/say.js";

/** @import { GameEvent, Move } from "../types.d.ts" */

/**
 * @typedef {object} Place a position, as the rules see it
 * @property {any} state
 * @property {Move[]} legal
 * @property {Record<string, string>} why
 * @property {boolean} over
 */

/** @typedef {Place & {seat: 1 | 2, move: Move, refused: boolean, text: string, events: GameEvent[]}} Step */

/** @type {{game: string, start: Place, steps: Step[]}} */
const lesson = JSON.parse(find("#lesson").textContent ?? "");
const root = find("#board");
const told = find("#told");
const beginning = told.textContent ?? "";
const { createBoard } = await loadBoard(lesson.game);
const board = createBoard(root, lesson.start.state, touch);
let at = 0;

function show() {
  const place = at ? lesson.steps[at - 1] : lesson.start;
  const next = lesson.steps[at];
  board.draw({
    state: place.state,
    legal: new Set(place.legal),
    why: place.why,
    turn: place.over ? null : place.state.turn,
    mine: !place.over,
    pending: null,
    last: at ? lesson.steps[at - 1].events : [],
  });
  for (const tile of root.querySelectorAll(".hinted")) tile.classList.remove("hinted");
  if (next) tileOf(next.move)?.classList.add("hinted");
  setText(told, at ? lesson.steps[at - 1].text : beginning);
  setText(find("#step"), `${at} / ${lesson.steps.length}`);
  find("#moral").classList.toggle("untold", Boolean(next));
  find("#back").toggleAttribute("disabled", at === 0);
  find("#on").toggleAttribute("disabled", !next);
}

/** @param {Move} move */
function tileOf(move) {
  return /** @type {HTMLElement | null} */ (root.querySelector(`.tile[data-move="${move}"]`));
}

/** @param {number} step */
function go(step) {
  const forward = step > at;
  at = Math.max(0, Math.min(step, lesson.steps.length));
  hideReason();
  show();
  const done = lesson.steps[at - 1];
  if (!forward || !done) return;
  if (done.refused) explain(done.move, done.text);
  else board.animate(done.events);
}

/**
 * A number was touched: the one that comes next goes on, any other has its answer.
 * @param {Move} move
 * @param {HTMLElement} tile
 */
function touch(move, tile) {
  const place = at ? lesson.steps[at - 1] : lesson.start;
  if (lesson.steps[at]?.move === move) return go(at + 1);
  if (place.over) return showReason(tile, WORDS.isOver);
  if (place.legal.includes(move)) return showReason(tile, WORDS.alsoAllowed);
  explain(move, place.why[String(move)] ?? playedAlready(move));
}

/**
 * @param {Move} move
 * @param {string} text
 */
function explain(move, text) {
  const tile = tileOf(move);
  const isThere = tile !== null && !tile.classList.contains("gone");
  if (isThere) shake(tile);
  showReason(isThere ? tile : null, text, isThere ? board.explain(move) : null);
}

find("#back").addEventListener("click", () => go(at - 1));
find("#on").addEventListener("click", () => go(at + 1));
show();
