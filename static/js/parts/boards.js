// The games of a page, as its catalogue lists them, and the board of each.

import { find } from "./dom.js";
import { gameWords } from "../words/translate.js";

/** @import { BoardModule } from "../types.d.ts" */

/** @type {Record<string, {name: string, accent: string, board: string}>} */
const catalogue = JSON.parse(find("#catalogue").textContent ?? "{}");

/** @param {string} game */
export function nameOfGame(game) {
  return catalogue[game].name;
}

/**
 * The classes that give a part of a page the styles and the colours of a game.
 * @param {string} game
 */
export function classesOf(game) {
  return `${game} accent-${catalogue[game].accent}`;
}

/**
 * @param {string} game
 * @returns {Promise<BoardModule>}
 */
export async function loadBoard(game) {
  // A board takes its words when it is loaded.
  await gameWords(game);
  return import(catalogue[game].board);
}
