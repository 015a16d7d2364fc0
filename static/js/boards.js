// The one list of boards, by game.

import { createBoard as blossoms } from "./boards/blossoms.js";
import { createBoard as chain } from "./boards/chain.js";
import { createBoard as collapse } from "./boards/collapse.js";
import { createBoard as eliminator } from "./boards/eliminator.js";
import { createBoard as tower } from "./boards/tower.js";

/** @type {Record<string, (root: HTMLElement, first: any, pick: import("./tiles.js").Pick) => import("./types.d.ts").Board>} */
export const BOARDS = {
  "number-blossoms": blossoms,
  "number-tower-duel": tower,
  "chain-factor": chain,
  "number-collapse": collapse,
  "number-eliminator": eliminator,
};
