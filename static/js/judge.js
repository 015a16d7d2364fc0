// What the solver found, in words: one move, one position, one player's accuracy.

import { nameOf } from "./say.js";

/** @import { Mark, Seat, Snapshot, Solution, Verdict } from "./types.d.ts" */

export const SYMBOLS = { kept: "✓", gave_away: "✗", already_lost: "·", unsolved: "?" };

/** @type {Record<Mark["kind"], string>} */
const KINDS = {
  kept: "kept the win",
  gave_away: "gave the win away",
  already_lost: "was lost already",
  unsolved: "is too far from the end to be judged",
};

/**
 * @param {Snapshot} match
 * @param {Mark} mark
 * @param {string} what the move as it stands in the list
 */
export function markText(match, mark, what) {
  const who = nameOf(match, mark.seat);
  if (mark.kind === "already_lost") return `Move ${mark.number}, ${who}: ${what}. Every move was lost by then.`;
  return `Move ${mark.number}, ${who}: ${what} ${KINDS[mark.kind]}.`;
}

/**
 * Who wins from a position, and how soon, if both play perfectly.
 * @param {Snapshot} match
 * @param {Solution} solution
 */
export function solutionText(match, solution) {
  if (solution.winner === null) return "This position is too large to be solved here.";
  const who = nameOf(match, solution.winner);
  return `${who} ${who === "You" ? "win" : "wins"} from here with perfect play${soon(solution.distance)}.`;
}

/**
 * What one move leads to, for the label of its tile.
 * @param {Verdict} verdict
 * @param {Seat} turn
 */
export function verdictText(verdict, turn) {
  if (verdict.winner === null) return "not solved";
  return (verdict.winner === turn ? "wins" : "loses") + soon(verdict.distance);
}

/** @param {number | null} distance */
function soon(distance) {
  if (distance === null) return "";
  return distance === 1 ? " in one move" : ` in ${distance} moves`;
}

/**
 * @param {Snapshot} match
 * @param {Seat} seat
 * @param {{ kept: number, mattered: number }} accuracy
 */
export function accuracyText(match, seat, accuracy) {
  const who = nameOf(match, seat);
  if (accuracy.mattered === 0) return `${who}: no choice mattered.`;
  return `${who}: ${accuracy.kept} of ${accuracy.mattered} choices that mattered kept the win.`;
}
