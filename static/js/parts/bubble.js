// Why not: says it beside the number that was touched, with a drawing where that teaches more.

import { element, find } from "./dom.js";

const SHOWN_FOR = 6000;
const MARGIN = 4;
const DISTANCE = 10;

const bubble = find("#reason");
/** @type {number | undefined} */
let timer;

/**
 * @param {HTMLElement | null} tile what it is about; without one it stands on top of the board
 * @param {string} text
 * @param {Element | null} [drawing]
 */
export function showBubble(tile, text, drawing = null) {
  bubble.replaceChildren(element("span", "", text), ...(drawing ? [drawing] : []));
  bubble.hidden = false;
  const stage = find("#stage").getBoundingClientRect();
  const at = tile?.getBoundingClientRect() ?? find("#board").getBoundingClientRect();
  const size = bubble.getBoundingClientRect();
  const centred = at.left + at.width / 2 - size.width / 2;
  const left = Math.max(MARGIN, Math.min(centred, document.documentElement.clientWidth - size.width - MARGIN));
  // Above it, where the finger does not hide it; below where there is no room.
  const isAbove = at.top - size.height - DISTANCE > 0;
  const top = !tile ? at.top + DISTANCE : isAbove ? at.top - size.height - DISTANCE : at.bottom + DISTANCE;
  bubble.style.left = `${left - stage.left}px`;
  bubble.style.top = `${top - stage.top}px`;
  clearTimeout(timer);
  timer = setTimeout(hideBubble, SHOWN_FOR);
}

// Its place is that of a number, which moves when the screen is turned.
addEventListener("resize", hideBubble);

export function hideBubble() {
  bubble.hidden = true;
}
