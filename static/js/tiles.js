// The numbers one can touch: buttons that keep their place, with what may be done with each.

import { element } from "./say.js";

/** @import { Move, View } from "./types.d.ts" */

/**
 * @callback Pick
 * @param {Move} move
 * @param {HTMLElement} tile
 */

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
      tile.setAttribute("aria-label", describe(number) + (legal && view.mine ? ", may be played" : ""));
    }
  }
}

/**
 * The numbers from 1 on, as a group of tiles with a name.
 * @param {HTMLElement} root
 * @param {string} label
 * @param {number} highest
 * @param {Pick} pick
 */
export function poolOf(root, label, highest, pick) {
  return new Tiles(group(root, "pool", label), upTo(highest), pick);
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
 * Play a CSS animation once.
 * @param {Element | null | undefined} target
 * @param {string} name
 */
export function animateOnce(target, name) {
  if (!target) return;
  target.classList.remove(name);
  // Reading a size makes the browser forget the finished animation, so that it starts anew.
  target.getBoundingClientRect();
  target.classList.add(name);
  target.addEventListener("animationend", () => target.classList.remove(name), { once: true });
}

/**
 * The whole numbers from 1.
 * @param {number} highest
 */
export function upTo(highest) {
  return Array.from({ length: highest }, (_, index) => index + 1);
}
