// The one list of boards, by game; a page loads only those it shows.

/** @import { CreateBoard } from "./types.d.ts" */

/** @type {Record<string, () => Promise<{createBoard: CreateBoard}>>} */
const BOARDS = {
  "number-blossoms": () => import("./boards/number-blossoms.js"),
  "number-tower-duel": () => import("./boards/number-tower-duel.js"),
  "chain-factor": () => import("./boards/chain-factor.js"),
  "number-collapse": () => import("./boards/number-collapse.js"),
  "number-eliminator": () => import("./boards/number-eliminator.js"),
};

/**
 * @param {string} game
 * @returns {Promise<CreateBoard>}
 */
export async function loadBoard(game) {
  return (await BOARDS[game]()).createBoard;
}
