// Number Collapse: a grid whose cells crumble under a larger neighbour.

import { element } from "../say.js";
import { Tiles, animateOnce, group, upTo } from "../tiles.js";

/** @import { Board } from "../types.d.ts" */
/** @import { Pick } from "../tiles.js" */

/**
 * @param {HTMLElement} root
 * @param {any} first
 * @param {Pick} pick
 * @returns {Board}
 */
export function createBoard(root, first, pick) {
  const scores = element("p", "measure");
  root.append(scores);
  const grid = group(root, `grid size-${first.size}`, "The grid");
  const tiles = new Tiles(grid, upTo(first.size ** 2), pick, (position) => String(first.cells[position - 1]));

  return {
    draw(view) {
      const { cells, scores: totals, target } = view.state;
      scores.textContent = `First to ${target}. Totals ${totals[0]} : ${totals[1]}`;
      const there = upTo(cells.length).filter((position) => cells[position - 1]);
      const taken = view.last.find((event) => event.type === "taken");
      tiles.draw(view, new Set(there), Number(taken?.position ?? 0), (position) => {
        const number = first.cells[position - 1];
        const where = `row ${Math.ceil(position / first.size)}, column ${((position - 1) % first.size) + 1}`;
        return cells[position - 1] ? `${number} in ${where}` : `${where}, empty`;
      });
    },
    animate(events) {
      for (const event of events) {
        const tile = tiles.byNumber.get(Number(event.position));
        if (event.type === "taken") animateOnce(tile, "take");
        if (event.type === "collapsed") animateOnce(tile, "crumble");
      }
    },
  };
}
