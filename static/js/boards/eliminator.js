// Number Eliminator: a list that is crossed off by hand.

import { element } from "../say.js";
import { animateOnce, poolOf } from "../tiles.js";

/** @import { Board } from "../types.d.ts" */
/** @import { Pick } from "../tiles.js" */

/**
 * @param {HTMLElement} root
 * @param {any} first
 * @param {Pick} pick
 * @returns {Board}
 */
export function createBoard(root, first, pick) {
  const left = element("p", "measure");
  root.append(left);
  const tiles = poolOf(root, "The list", first.pool, pick);
  tiles.root.classList.add("list");

  return {
    draw(view) {
      const { played, remaining } = view.state;
      const last = played.at(-1) ?? null;
      left.textContent = last === null ? "Cross off any number" : `Last number ${last}, ${remaining.length} left`;
      tiles.draw(view, new Set(remaining), last, (number) =>
        played.includes(number) ? `${number}, crossed off` : `Number ${number}`,
      );
      for (const [number, tile] of tiles.byNumber) {
        const at = played.indexOf(number);
        tile.classList.toggle("seat-1", at % 2 === 0);
        tile.classList.toggle("seat-2", at % 2 === 1);
      }
    },
    animate(events) {
      for (const event of events) {
        if (event.type === "crossed_off") animateOnce(tiles.byNumber.get(Number(event.number)), "strike");
      }
    },
  };
}
