// A bubble beside a number: why it can't be played, with a drawing if that teaches more, or a hint.

import { element, find } from "./dom.js";

const SHOWN_FOR = 6000;
const MARGIN = 4;
const DISTANCE = 10;

const bubble = find("#reason");
/** @type {number | undefined} */
let timer;

/**
 * @param {HTMLElement | null} tile what it is about; null shows it at the top of the board
 * @param {string} text
 * @param {Element | null} [drawing]
 */
export function showBubble(tile, text, drawing = null) {
  bubble.replaceChildren(element("span", "", text), ...(drawing ? [drawing] : []));
  bubble.hidden = false;
  const stage = find("#stage").getBoundingClientRect();
  const target = tile?.getBoundingClientRect() ?? find("#board").getBoundingClientRect();
  const size = bubble.getBoundingClientRect();
  const centred = target.left + target.width / 2 - size.width / 2;
  const left = Math.max(MARGIN, Math.min(centred, document.documentElement.clientWidth - size.width - MARGIN));
  // Above the tile, where the finger doesn't hide it; below if there is no room.
  const above = target.top - size.height - DISTANCE;
  const top = !tile ? target.top + DISTANCE : above > 0 ? above : target.bottom + DISTANCE;
  bubble.style.left = `${left - stage.left}px`;
  bubble.style.top = `${top - stage.top}px`;
  clearTimeout(timer);
  timer = setTimeout(hideBubble, SHOWN_FOR);
}

export function hideBubble() {
  bubble.hidden = true;
}

/** Hide the bubble on a click anywhere but on a number, which shows its own. */
export function wireBubble() {
  document.addEventListener("click", (event) => {
    if (!(/** @type {Element} */ (event.target).closest(".tile"))) hideBubble();
  });
}

// The tile moves when the screen is turned, and the bubble would stay behind.
addEventListener("resize", hideBubble);
