// Number Eliminator: a list that is crossed off by hand.

import { drawLine, shake } from "../../js/parts/animate.js";
import { drawRemainder } from "../../js/parts/drawings.js";
import { element, setText, shape } from "../../js/parts/dom.js";
import { TILE } from "../../js/words/boards.js";
import { gettext } from "../../js/words/translate.js";
import { poolOf } from "../../js/parts/tiles.js";

/** @import { BoardModule, CreateBoard } from "../../js/types.d.ts" */

// No two numbers are crossed off by quite the same movement: Player 1 strikes, Player 2 crosses.
const STROKES = {
  1: ["M14 58q18-14 36-6t38-12", "M12 46q22 16 40 4t36 2", "M14 52q20-12 34 0t40-8"],
  2: ["M22 24q26 26 58 52M78 22q-24 30-56 56", "M24 26q30 20 54 50M80 26q-30 22-54 50", "M20 28q32 24 58 46M76 24q-20 32-52 52"],
};

/** @type {BoardModule["nextMove"]} */
export function nextMove({ played }) {
  if (!played.length) return [gettext("Cross off any number."), gettext("Next: any number.")];
  const last = played.at(-1);
  return [gettext("Cross off a divisor or a multiple of {last}.", { last }), gettext("Next: a divisor or a multiple of {last}.", { last })];
}

/** @type {BoardModule["told"]} */
export const told = {
  crossed_off: () => [gettext("You crossed off {number}."), gettext("{player} crossed off {number}.")],
};

/** @type {CreateBoard} */
export function createBoard(root, first, pick) {
  const left = element("p", "measure");
  root.append(left);
  const tiles = poolOf(root, "list", gettext("The list"), first.pool, pick);
  /** @type {number[]} */
  let played = [];

  return {
    draw(view) {
      played = view.state.played;
      const last = played.at(-1) ?? null;
      setText(left, TILE.left(view.state.remaining.length));
      tiles.draw(view, new Set(view.state.remaining), last, (number) =>
        played.includes(number) ? gettext("{number}, crossed off", { number }) : TILE.number(number),
      );
      for (const [number, tile] of tiles.byNumber) strike(tile, number, number === last);
    },
    animate(events) {
      for (const event of events) {
        if (event.type !== "crossed_off") continue;
        for (const line of tiles.byNumber.get(Number(event.number))?.querySelectorAll("path") ?? []) drawLine(line);
      }
    },
    explain(move) {
      const last = played.at(-1);
      if (last === undefined || played.includes(Number(move))) return null;
      shake(tiles.byNumber.get(last));
      return drawRemainder(Number(move), last);
    },
  };

  /**
   * @param {HTMLElement} tile
   * @param {number} number
   * @param {boolean} isLast the last number is circled: the next one depends on it
   */
  function strike(tile, number, isLast) {
    const at = played.indexOf(number);
    const shown = at < 0 ? "" : `${at % 2} ${isLast}`;
    if ((tile.dataset.shown ?? "") === shown) return;
    tile.dataset.shown = shown;
    tile.querySelector("svg")?.remove();
    if (at < 0) return;
    const seat = at % 2 === 0 ? 1 : 2;
    const svg = shape("svg", { viewBox: "0 0 100 100", class: `stroke seat-${seat}`, "aria-hidden": "true" });
    const line = { pathLength: 1, "stroke-dasharray": 1 };
    svg.append(shape("path", { d: STROKES[seat][number % 3], ...line }));
    if (isLast) svg.append(shape("path", { d: "M50 8C92 4 104 44 92 68S34 104 12 76 14 6 62 10", class: "ring", ...line }));
    tile.append(svg);
  }
}
