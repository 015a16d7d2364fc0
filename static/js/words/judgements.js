// What the solver found, in words: one move, one position, one player's accuracy.

import { about, nameOf, winnerText } from "./say.js";
import { gettext, solverWords } from "./translate.js";

/** @import { Mark, Seat, Snapshot, Solution, Verdict } from "../types.d.ts" */

await solverWords();

export const SYMBOLS = { kept: "✓", gave_away: "✗", already_lost: "·", unsolved: "?" };

/** @type {Record<Mark["kind"], string>} */
const KINDS = {
  kept: gettext("Move {number}, {player}: {move} kept the win."),
  gave_away: gettext("Move {number}, {player}: {move} gave the win away."),
  already_lost: gettext("Move {number}, {player}: {move}. Every move was losing by then."),
  unsolved: gettext("Move {number}, {player}: {move} is too far from the end to judge."),
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
  if (winner === null) return gettext("This position is too large to solve here.");
  if (distance === null) {
    return about(snapshot, winner, gettext("You win from here with perfect play."), gettext("{player} wins from here with perfect play."));
  }
  if (distance === 1) {
    return about(snapshot, winner, gettext("You win from here with perfect play in one move."), gettext("{player} wins from here with perfect play in one move."));
  }
  return about(
    snapshot,
    winner,
    gettext("You win from here with perfect play in {distance} moves."),
    gettext("{player} wins from here with perfect play in {distance} moves."),
    { distance },
  );
}

/**
 * What one move leads to, for the label of its tile.
 * @param {Verdict} verdict
 * @param {Seat} turn
 */
export function verdictText({ winner, distance }, turn) {
  if (winner === null) return gettext("not solved");
  const wins = winner === turn;
  if (distance === null) return wins ? gettext("wins") : gettext("loses");
  if (distance === 1) return wins ? gettext("wins in one move") : gettext("loses in one move");
  return wins ? gettext("wins in {distance} moves", { distance }) : gettext("loses in {distance} moves", { distance });
}

/**
 * @param {Snapshot} snapshot
 * @param {Seat} seat
 * @param {{ kept: number, mattered: number }} accuracy
 */
export function accuracyText(snapshot, seat, accuracy) {
  const player = nameOf(snapshot, seat);
  if (accuracy.mattered === 0) return gettext("{player}: no choice mattered.", { player });
  return gettext("{player}: {kept} of {mattered} choices that mattered kept the win.", { player, ...accuracy });
}

/**
 * Who held the win after so many moves.
 * @param {Snapshot} snapshot
 * @param {number} moves
 * @param {Seat | null} holder
 */
export function holderText(snapshot, moves, holder) {
  const who = holder ? nameOf(snapshot, holder) : gettext("not solved");
  return moves ? gettext("After move {moves}: {who}", { moves, who }) : gettext("At the beginning: {who}", { who });
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

export const NO_CONNECTION = gettext("You're offline. Try again when you're back online.");
