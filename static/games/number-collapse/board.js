// Number Collapse: a grid whose cells crumble under a larger neighbour, and the race to the target.

import { animate, crumble } from "../../js/parts/animate.js";
import { element, refill, setText } from "../../js/parts/dom.js";
import { gettext } from "../../js/words/translate.js";
import { Tiles, group, upTo } from "../../js/parts/tiles.js";

/** @import { BoardModule, CreateBoard, Move } from "../../js/types.d.ts" */

/** @type {BoardModule["nextMove"]} */
export function nextMove() {
  return [gettext("Take a number, and its smaller neighbours fall."), gettext("Next: a number, and its smaller neighbours fall.")];
}

/**
 * A move is a position; people call it by the number that lies there.
 * @param {{cells: number[]}} state
 * @param {Move} position
 */
export function numberOf({ cells }, position) {
  return cells[Number(position) - 1];
}

/** @type {BoardModule["told"]} */
export const told = {
  taken: () => [gettext("You took {number}."), gettext("{player} took {number}.")],
  scored: () => [gettext("Total {total}."), gettext("Total {total}.")],
  collapsed: () => [gettext("{number} fell."), gettext("{number} fell.")],
};

/** @type {CreateBoard} */
export function createBoard(root, first, pick) {
  const { size } = first;
  const goal = element("p", "measure");
  const race = element("div", "race");
  root.append(goal, race);
  const grid = group(root, `grid size-${size}`, gettext("The grid"));
  const tiles = new Tiles(grid, upTo(size ** 2), pick, (position) => String(first.cells[position - 1]));
  /** @type {number[]} */
  let cells = first.cells;
  for (const [position, tile] of tiles.byNumber) {
    for (const type of ["pointerenter", "focus"]) tile.addEventListener(type, () => threaten(position));
    for (const type of ["pointerleave", "blur", "click"]) tile.addEventListener(type, () => threaten(0));
  }

  return {
    draw(view) {
      const { scores, target } = view.state;
      cells = view.state.cells;
      setText(goal, gettext("First to {target}", { target }));
      refill(race, `${scores} ${target}`, () => [1, 2].flatMap((seat) => lane(seat, scores[seat - 1], target)));
      const there = upTo(cells.length).filter((position) => cells[position - 1]);
      const taken = view.last.find((event) => event.type === "taken");
      tiles.draw(view, new Set(there), Number(taken?.position ?? 0), (position) =>
        describe(cells[position - 1], Math.ceil(position / size), ((position - 1) % size) + 1),
      );
      for (const [position, tile] of tiles.byNumber) {
        // Whoever steps back sees it whole again, and at once.
        if (cells[position - 1]) for (const shard of tile.querySelectorAll(".shard")) shard.remove();
        compare(tile, "right", position, position % size ? position + 1 : 0);
        compare(tile, "below", position, position + size);
      }
    },
    animate(events) {
      for (const event of events) {
        const tile = tiles.byNumber.get(Number(event.position));
        if (event.type === "taken") {
          animate(tile, [{ background: "var(--face)", color: "var(--on-face)", transform: "scale(1.15)" }, { transform: "none" }], { duration: 350 });
        }
        if (event.type === "collapsed" && tile) crumble(tile, String(event.number));
      }
    },
    explain: () => null,
  };

  /**
   * Mark which of two neighbours is larger.
   * @param {HTMLElement} tile
   * @param {"right" | "below"} side
   * @param {number} position
   * @param {number} other
   */
  function compare(tile, side, position, other) {
    const [own, near] = [cells[position - 1], cells[other - 1]];
    if (own && near) tile.dataset[side] = own > near ? "larger" : "smaller";
    else delete tile.dataset[side];
  }

  /**
   * Show what would fall.
   * @param {number} position 0 for nothing
   */
  function threaten(position) {
    const near = [position - size, position + size];
    if (position % size !== 1) near.push(position - 1);
    if (position % size !== 0) near.push(position + 1);
    for (const [other, tile] of tiles.byNumber) {
      const falls = near.includes(other) && cells[other - 1] > 0 && cells[other - 1] < cells[position - 1];
      tile.classList.toggle("threatened", falls && !tile.classList.contains("gone"));
    }
  }
}

/**
 * What a place of the grid is for somebody who cannot see it.
 * @param {number} number
 * @param {number} row
 * @param {number} column
 */
function describe(number, row, column) {
  return number ? gettext("{number} in row {row}, column {column}", { number, row, column }) : gettext("row {row}, column {column}, empty", { row, column });
}

/**
 * @param {number} seat
 * @param {number} total
 * @param {number} target
 */
function lane(seat, total, target) {
  const bar = /** @type {HTMLProgressElement} */ (element("progress", `seat-${seat}`));
  bar.max = target;
  bar.value = total;
  bar.setAttribute("aria-label", gettext("Player {seat}'s total", { seat }));
  const sign = element("span", `seat-${seat}`);
  sign.append(element("span", "mark"));
  return [sign, bar, element("span", "total", total)];
}
