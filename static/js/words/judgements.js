// What the solver found, in words: one move, one position, one player's accuracy.

import { about, nameOf, winnerText } from "./say.js";
import { pgettext, solverWords } from "./translate.js";

/** @import { Mark, Seat, Snapshot, Solution, Verdict } from "../types.d.ts" */

await solverWords();

export const SYMBOLS = { kept: "✓", gave_away: "✗", already_lost: "·", unsolved: "?" };

/** @type {Record<Mark["kind"], string>} */
const KINDS = {
  kept: pgettext("review", "Move {number}, {player}: {move} kept the win."),
  gave_away: pgettext("review", "Move {number}, {player}: {move} gave the win away."),
  already_lost: pgettext("review", "Move {number}, {player}: {move}. Every move was losing by then."),
  unsolved: pgettext("review", "Move {number}, {player}: {move} is too far from the end to judge."),
};

/**
 * @param {Snapshot} snapshot
 * @param {Mark} mark
 * @param {string} move the move as it stands in the list
 */
export function markText(snapshot, mark, move) {
  return about(snapshot, mark.seat, KINDS[mark.kind], KINDS[mark.kind], { number: mark.number, move });
}

/**
 * Who wins from a position, and how soon, if both play perfectly.
 * @param {Snapshot} snapshot
 * @param {Solution} solution
 */
export function solutionText(snapshot, { winner, distance }) {
  if (winner === null) return pgettext("review", "This position is too large to solve here.");
  if (distance === null) {
    return about(snapshot, winner, pgettext("review", "You win from here with perfect play."), pgettext("review", "{player} wins from here with perfect play."));
  }
  if (distance === 1) {
    return about(snapshot, winner, pgettext("review", "You win from here with perfect play in one move."), pgettext("review", "{player} wins from here with perfect play in one move."));
  }
  return about(
    snapshot,
    winner,
    pgettext("review", "You win from here with perfect play in {distance} moves."),
    pgettext("review", "{player} wins from here with perfect play in {distance} moves."),
    { distance },
  );
}

/**
 * What one move leads to, for the label of its tile.
 * @param {Verdict} verdict
 * @param {Seat} turn
 */
export function verdictText({ winner, distance }, turn) {
  if (winner === null) return pgettext("review", "not solved");
  const wins = winner === turn;
  if (distance === null) return wins ? pgettext("review", "wins") : pgettext("review", "loses");
  if (distance === 1) return wins ? pgettext("review", "wins in one move") : pgettext("review", "loses in one move");
  return wins ? pgettext("review", "wins in {distance} moves", { distance }) : pgettext("review", "loses in {distance} moves", { distance });
}

/**
 * @param {Snapshot} snapshot
 * @param {Seat} seat
 * @param {{ kept: number, mattered: number }} accuracy
 */
export function accuracyText(snapshot, seat, accuracy) {
  const player = nameOf(snapshot, seat);
  if (accuracy.mattered === 0) return pgettext("review", "{player}: no choice mattered.", { player });
  return pgettext("review", "{player}: {kept} of {mattered} choices that mattered kept the win.", { player, ...accuracy });
}

/**
 * Who was winning after a move, or at the beginning.
 * @param {Snapshot} snapshot
 * @param {number} moves
 * @param {Seat | null} holder
 */
export function holderText(snapshot, moves, holder) {
  const who = holder ? nameOf(snapshot, holder) : pgettext("review", "not solved");
  return moves ? pgettext("review", "After move {moves}: {who}", { moves, who }) : pgettext("review", "At the beginning: {who}", { who });
}

/**
 * How a line ends that was tried.
 * @param {Snapshot} snapshot
 * @param {Seat} winner
 * @param {string} why
 */
export function endText(snapshot, winner, why) {
  return `${winnerText(snapshot, winner)}: ${why}`;
}

export const NO_CONNECTION = pgettext("review", "You're offline. Try again when you're back online.");
