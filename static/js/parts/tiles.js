// The numbers to choose from: buttons that keep their place and show what may be played.

import { element } from "./dom.js";
import { TILE } from "../words/boards.js";

/** @import { OnPick, View } from "../types.d.ts" */

export class Tiles {
  /**
   * @param {HTMLElement} root
   * @param {number[]} numbers
   * @param {OnPick} onPick
   * @param {(number: number) => string} [label] what is written on a tile
   */
  constructor(root, numbers, onPick, label = String) {
    this.root = root;
    root.classList.add(`of-${numbers.length}`);
    /** @type {Map<number, HTMLElement>} */
    this.byNumber = new Map();
    for (const number of numbers) {
      const tile = element("button", "tile", label(number));
      tile.setAttribute("type", "button");
      tile.dataset.move = String(number);
      tile.addEventListener("click", () => onPick(number, tile));
      this.byNumber.set(number, tile);
      root.append(tile);
    }
  }

  /**
   * @param {View} view
   * @param {Set<number>} onBoard the numbers that are still on the board
   * @param {number | null} last the number that was played last
   * @param {(number: number) => string} describe
   */
  draw(view, onBoard, last, describe) {
    const focused = document.activeElement;
    for (const [number, tile] of this.byNumber) {
      const isOnBoard = onBoard.has(number);
      const legal = isOnBoard && view.turn !== null && view.legal.has(number);
      tile.classList.toggle("gone", !isOnBoard);
      tile.classList.toggle("legal", legal && view.mine);
      tile.classList.toggle("barred", isOnBoard && view.turn !== null && !legal);
      tile.classList.toggle("last", number === last);
      tile.classList.toggle("pending", number === view.pending);
      // Never disabled: a click on a number that may not be played must say why.
      tile.setAttribute("aria-disabled", String(!(legal && view.mine)));
      tile.setAttribute("aria-label", legal && view.mine ? TILE.mayBePlayed(describe(number)) : describe(number));
    }
    if (focused?.matches(".pool .gone") && this.root.contains(focused)) this.keepFocus(focused);
  }

  /**
   * Focus the nearest number after the focused one was played, or the focus would leave the board.
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
 * Create a labelled group with the numbers from 1.
 * @param {HTMLElement} root
 * @param {string} className
 * @param {string} label
 * @param {number} highest
 * @param {OnPick} onPick
 */
export function poolOf(root, className, label, highest, onPick) {
  return new Tiles(group(root, className, label), upTo(highest), onPick);
}

/**
 * Create a labelled group.
 * @param {HTMLElement} root
 * @param {string} className
 * @param {string} label
 */
export function group(root, className, label) {
  const created = element("div", className);
  created.setAttribute("role", "group");
  created.setAttribute("aria-label", label);
  root.append(created);
  return created;
}

/**
 * The whole numbers from 1 to the highest.
 * @param {number} highest
 */
export function upTo(highest) {
  return Array.from({ length: highest }, (_, index) => index + 1);
}
