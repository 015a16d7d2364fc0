// Number Tower Duel: a tower that grows, with what holds each joint, and the blocks that are left.

import { drop, shake } from "../../js/parts/animate.js";
import { drawRemainder } from "../../js/parts/drawings.js";
import { element, refill, setText } from "../../js/parts/dom.js";
import { gettext } from "../../js/words/translate.js";
import { poolOf } from "../../js/parts/tiles.js";

/** @import { BoardModule, CreateBoard } from "../../js/types.d.ts" */

/** @type {BoardModule["nextMove"]} */
export function nextMove({ played }) {
  if (!played.length) return [gettext("Start with any block."), gettext("Next: any block.")];
  const last = played.at(-1);
  return [gettext("Put a divisor or a multiple of {last} on top.", { last }), gettext("Next: a divisor or a multiple of {last} on top.", { last })];
}

/** @type {BoardModule["told"]} */
export const told = {
  placed: ({ after }) =>
    after
      ? [gettext("You placed {number} on {after}."), gettext("{player} placed {number} on {after}.")]
      : [gettext("You placed {number}."), gettext("{player} placed {number}.")],
};

/** @type {CreateBoard} */
export function createBoard(root, first, pick) {
  const height = element("p", "measure");
  const tower = element("ol", "figure tower");
  tower.setAttribute("aria-label", gettext("The tower, from the top"));
  // A high tower scrolls, and then the keyboard must reach it.
  if (first.pool > 9) tower.tabIndex = 0;
  root.append(height, tower);
  const tiles = poolOf(root, "pool", gettext("Blocks that are left"), first.pool, pick);
  /** @type {number[]} */
  let played = [];

  return {
    draw(view) {
      played = view.state.played;
      setText(height, gettext("Height {height}", { height: played.length }));
      // The next block's place is marked while there is one to come.
      const next = view.turn ? [ghost(view.turn)] : [];
      refill(tower, `${played} ${view.turn}`, () => [...next, ...played.map(storey).reverse()]);
      tiles.draw(view, new Set(view.state.remaining), null, (number) => gettext("Block {number}", { number }));
    },
    animate(events) {
      if (events.some((event) => event.type === "placed")) drop(tower.querySelector(".last"));
    },
    explain(move) {
      const top = played.at(-1);
      if (top === undefined) return null;
      shake(tower.querySelector(".last"));
      return drawRemainder(Number(move), top);
    },
  };

  /**
   * @param {number} number
   * @param {number} index
   */
  function storey(number, index) {
    const made = element("li", `storey seat-${(index % 2) + 1}`);
    made.classList.toggle("last", index === played.length - 1);
    made.append(element("span", `block piece wide-${Math.ceil((9 * number) / first.pool)}`, number));
    const below = played[index - 1];
    if (below) made.append(element("span", "joint", product(number, below)));
    return made;
  }
}

/** @param {number} seat */
function ghost(seat) {
  const made = element("li", `storey next seat-${seat}`);
  made.setAttribute("aria-hidden", "true");
  made.append(element("span", "slot"));
  return made;
}

/**
 * How one of two numbers is made of the other: 6 = 2 × 3.
 * @param {number} one
 * @param {number} other
 */
function product(one, other) {
  const [smaller, larger] = one < other ? [one, other] : [other, one];
  return `${larger} = ${larger / smaller} × ${smaller}`;
}
