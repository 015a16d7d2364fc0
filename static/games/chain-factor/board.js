// Chain Factor: a chain of the numbers removed; its last link bars what shares a factor with it.

import { fly, shake } from "../../js/parts/animate.js";
import { drawSharedFactor, greatestCommonFactor, primeFactors } from "../../js/parts/drawings.js";
import { element, refill, setText } from "../../js/parts/dom.js";
import { TILE } from "../../js/words/boards.js";
import { gettext } from "../../js/words/translate.js";
import { poolOf } from "../../js/parts/tiles.js";

/** @import { BoardModule, CreateBoard } from "../../js/types.d.ts" */

/** @type {BoardModule["nextMove"]} */
export function nextMove({ played }) {
  if (!played.length) return [gettext("Remove any number."), gettext("Next: any number.")];
  const last = played.at(-1);
  return [gettext("Remove a number that shares no factor with {last}.", { last }), gettext("Next: a number that shares no factor with {last}.", { last })];
}

/** @type {BoardModule["told"]} */
export const told = {
  removed: () => [gettext("You removed {number}."), gettext("{player} removed {number}.")],
};

/** @type {CreateBoard} */
export function createBoard(root, first, pick) {
  const left = element("p", "measure");
  const chain = element("ol", "figure chain");
  chain.setAttribute("aria-label", gettext("The chain"));
  if (first.pool > 9) chain.tabIndex = 0;
  const lock = element("p", "lock");
  root.append(left, chain, lock);
  const tiles = poolOf(root, "pool", gettext("Numbers that are left"), first.pool, pick);
  /** @type {number | undefined} */
  let last;

  return {
    draw(view) {
      const { played, remaining } = view.state;
      last = played.at(-1);
      setText(left, TILE.left(remaining.length));
      const next = view.turn ? [ghost(view.turn)] : [];
      refill(chain, `${played} ${view.turn}`, () => [...played.map(link), ...next]);
      chain.children[played.length - 1]?.classList.add("last");
      refill(lock, String(last), lockOf);
      tiles.draw(view, new Set(remaining), null, describe);
      for (const [number, tile] of tiles.byNumber) {
        const factor = tile.classList.contains("barred") ? factorOf(number) : 1;
        if (factor > 1) tile.dataset.badge = String(factor);
        else delete tile.dataset.badge;
      }
    },
    animate(events) {
      for (const event of events) {
        if (event.type === "removed") fly(chain.querySelector(".last"), tiles.byNumber.get(Number(event.number)));
      }
    },
    explain(move) {
      if (last === undefined) return null;
      shake(chain.querySelector(".last"));
      return drawSharedFactor(Number(move), last, factorOf(Number(move)));
    },
  };

  /** @param {number} number */
  function factorOf(number) {
    return last === undefined ? 1 : greatestCommonFactor(number, last);
  }

  /** @param {number} number */
  function describe(number) {
    const factor = factorOf(number);
    return factor > 1 ? gettext("Number {number}, shares {factor}", { number, factor }) : TILE.number(number);
  }

  /** What the last link bars. */
  function lockOf() {
    if (last === undefined) return [];
    const factors = [...new Set(primeFactors(last))];
    if (!factors.length) return [element("span", "hint", gettext("{last} blocks nothing", { last }))];
    return [element("span", "hint", gettext("{last} blocks multiples of", { last })), ...factors.map((factor) => element("span", "factor", factor))];
  }
}

/** The place of the next link. @param {number} seat */
function ghost(seat) {
  const made = element("li", `slot seat-${seat}`);
  made.setAttribute("aria-hidden", "true");
  return made;
}

/**
 * @param {number} number
 * @param {number} index
 */
function link(number, index) {
  return element("li", `link piece seat-${(index % 2) + 1}`, number);
}
