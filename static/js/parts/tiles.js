// The numbers one can touch: buttons that keep their place, with what may be done with each.

import { element } from "./dom.js";
import { TILE } from "../words/boards.js";

/** @import { Pick, View } from "../types.d.ts" */

export class Tiles {
  /**
   * @param {HTMLElement} root
   * @param {number[]} numbers
   * @param {Pick} pick
   * @param {(number: number) => string} [label] what is written on a tile
   */
  constructor(root, numbers, pick, label = String) {
    this.root = root;
    root.classList.add(`of-${numbers.length}`);
    /** @type {Map<number, HTMLElement>} */
    this.byNumber = new Map();
    for (const number of numbers) {
      const tile = element("button", "tile", label(number));
      tile.setAttribute("type", "button");
      tile.dataset.move = String(number);
      tile.addEventListener("click", () => pick(number, tile));
      this.byNumber.set(number, tile);
      root.append(tile);
    }
  }

  /**
   * @param {View} view
   * @param {Set<number>} there which of them are still on the board
   * @param {number | null} last which was played last
   * @param {(number: number) => string} describe
   */
  draw(view, there, last, describe) {
    const focused = document.activeElement;
    for (const [number, tile] of this.byNumber) {
      const isThere = there.has(number);
      const legal = isThere && view.turn !== null && view.legal.has(number);
      tile.classList.toggle("gone", !isThere);
      tile.classList.toggle("legal", legal && view.mine);
      tile.classList.toggle("barred", isThere && view.turn !== null && !legal);
      tile.classList.toggle("last", number === last);
      tile.classList.toggle("pending", number === view.pending);
      // Never disabled: touching a number that may not be played must be able to say why.
      tile.setAttribute("aria-disabled", String(!(legal && view.mine)));
      tile.setAttribute("aria-label", legal && view.mine ? TILE.mayBePlayed(describe(number)) : describe(number));
    }
    if (focused?.matches(".pool .gone") && this.root.contains(focused)) this.keepFocus(focused);
  }

  /**
   * A number that is played leaves, and with it the keyboard would leave the board.
   * @param {Element} gone
   */
  keepFocus(gone) {
    const tiles = [...this.byNumber.values()];
    const from = tiles.findIndex((tile) => tile === gone);
    const near = [...tiles.slice(from), ...tiles.slice(0, from).reverse()];
    near.find((tile) => !tile.classList.contains("gone"))?.focus({ preventScroll: true });
  }
}

/**
 * The numbers from 1 on, as a group of tiles with a name.
 * @param {HTMLElement} root
 * @param {string} className
 * @param {string} label
 * @param {number} highest
 * @param {Pick} pick
 */
export function poolOf(root, className, label, highest, pick) {
  return new Tiles(group(root, className, label), upTo(highest), pick);
}

/**
 * @param {HTMLElement} root
 * @param {string} className
 * @param {string} label
 */
export function group(root, className, label) {
  const made = element("div", className);
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", label);
  root.append(made);
  return made;
}

/**
 * The whole numbers from 1.
 * @param {number} highest
 */
export function upTo(highest) {
  return Array.from({ length: highest }, (_, index) => index + 1);
}
