// The one list of boards, by game; a page loads only those it shows.

/** @import { CreateBoard } from "../types.d.ts" */

/** @type {Record<string, () => Promise<{createBoard: CreateBoard}>>} */
const BOARDS = {
  "number-blossoms": () => import("../../games/number-blossoms/board.js"),
  "number-tower-duel": () => import("../../games/number-tower-duel/board.js"),
  "chain-factor": () => import("../../games/chain-factor/board.js"),
  "number-collapse": () => import("../../games/number-collapse/board.js"),
  "number-eliminator": () => import("../../games/number-eliminator/board.js"),
};

/**
 * @param {string} game
 * @returns {Promise<CreateBoard>}
 */
export async function loadBoard(game) {
  return (await BOARDS[game]()).createBoard;
}
