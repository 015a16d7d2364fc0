// A rules page: a match to step through on a real board, which also explains illegal moves.

import { shake } from "../parts/animate.js";
import { loadBoard } from "../parts/boards.js";
import { find, setText } from "../parts/dom.js";
import { hideBubble, showBubble } from "../parts/bubble.js";
import { WORDS, playedAlready } from "../words/say.js";

/** @import { GameEvent, Move } from "../types.d.ts" */

/**
 * @typedef {object} Position
 * @property {any} state
 * @property {Move[]} legal
 * @property {Record<string, string>} why
 * @property {boolean} over
 */

/** @typedef {Position & {seat: 1 | 2, move: Move, refused: boolean, text: string, events: GameEvent[]}} Step */

/** @type {{game: string, start: Position, steps: Step[]}} */
const lesson = JSON.parse(find("#lesson").textContent ?? "");
const root = find("#board");
const explanation = find("#told");
const introduction = explanation.textContent ?? "";
const { createBoard } = await loadBoard(lesson.game);
const board = createBoard(root, lesson.start.state, pick);
/** How many steps have been made. */
let step = 0;

function position() {
  return step ? lesson.steps[step - 1] : lesson.start;
}

function show() {
  const { state, legal, why, over } = position();
  const last = lesson.steps[step - 1];
  const next = lesson.steps[step];
  board.draw({
    state,
    legal: new Set(legal),
    why,
    turn: over ? null : state.turn,
    mine: !over,
    pending: null,
    last: last?.events ?? [],
  });
  for (const tile of root.querySelectorAll(".hinted")) tile.classList.remove("hinted");
  if (next) tileOf(next.move)?.classList.add("hinted");
  setText(explanation, last?.text ?? introduction);
  setText(find("#step"), `${step} / ${lesson.steps.length}`);
  find("#moral").classList.toggle("untold", Boolean(next));
  find("#back").toggleAttribute("disabled", step === 0);
  find("#on").toggleAttribute("disabled", !next);
}

/** @param {Move} move */
function tileOf(move) {
  return /** @type {HTMLElement | null} */ (root.querySelector(`.tile[data-move="${move}"]`));
}

/** @param {number} wanted */
function goTo(wanted) {
  const isForward = wanted > step;
  step = Math.max(0, Math.min(wanted, lesson.steps.length));
  hideBubble();
  show();
  const last = lesson.steps[step - 1];
  if (!isForward || !last) return;
  if (last.refused) explain(last.move, last.text);
  else board.animate(last.events);
}

/**
 * Step forward if the number is the next one of the lesson; else say what would happen.
 * @param {Move} move
 * @param {HTMLElement} tile
 */
function pick(move, tile) {
  const { over, legal, why } = position();
  if (lesson.steps[step]?.move === move) return goTo(step + 1);
  if (over) return showBubble(tile, WORDS.isOver);
  if (legal.includes(move)) return showBubble(tile, WORDS.alsoAllowed);
  explain(move, why[String(move)] ?? playedAlready(move));
}

/**
 * @param {Move} move
 * @param {string} text
 */
function explain(move, text) {
  const tile = tileOf(move);
  const isOnBoard = tile !== null && !tile.classList.contains("gone");
  if (isOnBoard) shake(tile);
  showBubble(isOnBoard ? tile : null, text, isOnBoard ? board.explain(move) : null);
}

find("#back").addEventListener("click", () => goTo(step - 1));
find("#on").addEventListener("click", () => goTo(step + 1));
show();
