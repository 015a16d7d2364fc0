// Number Tower Duel: a tower that grows, and the blocks that are left.

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
  const height = element("p", "measure");
  const tower = element("ol", "tower");
  tower.setAttribute("aria-label", "The tower, from the top");
  // A high tower scrolls, and then the keyboard must reach it.
  if (first.pool > 9) tower.tabIndex = 0;
  root.append(height, tower);
  const tiles = poolOf(root, "Blocks that are left", first.pool, pick);

  return {
    draw(view) {
      const { played, remaining } = view.state;
      height.textContent = played.length ? `Height ${played.length}` : "Place the first block";
      tower.replaceChildren(
        ...played.map(block).reverse().map((/** @type {HTMLElement} */ made, /** @type {number} */ index) => {
          made.classList.toggle("last", index === 0);
          return made;
        }),
      );
      tiles.draw(view, new Set(remaining), null, (number) => `Block ${number}`);
    },
    animate(events) {
      if (events.some((event) => event.type === "placed")) animateOnce(tower.firstElementChild, "drop");
    },
  };

  /**
   * @param {number} number
   * @param {number} index
   */
  function block(number, index) {
    return element("li", `block seat-${(index % 2) + 1}`, number);
  }
}
