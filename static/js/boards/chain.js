// Chain Factor: a chain of the numbers removed, and the row of those that are left.

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
  const chain = element("ol", "chain");
  chain.setAttribute("aria-label", "The chain");
  root.append(left, chain);
  const tiles = poolOf(root, "Numbers that are left", first.pool, pick);

  return {
    draw(view) {
      const { played, remaining } = view.state;
      left.textContent = `${remaining.length} left`;
      chain.replaceChildren(
        ...played.map((/** @type {number} */ number, /** @type {number} */ index) => {
          const link = element("li", `link seat-${(index % 2) + 1}`, number);
          link.classList.toggle("last", index === played.length - 1);
          return link;
        }),
      );
      tiles.draw(view, new Set(remaining), null, (number) => `Number ${number}`);
    },
    animate(events) {
      if (events.some((event) => event.type === "removed")) animateOnce(chain.lastElementChild, "grow");
    },
  };
}
