// A celebration: confetti in the winner's colours flies over the page, without blocking it.

import { animate } from "./animate.js";
import { element, find } from "./dom.js";

const PIECES = 28;

/** @param {number} winner a seat */
export function celebrate(winner) {
  const layer = element("div", `party seat-${winner}`);
  layer.setAttribute("aria-hidden", "true");
  find("#match").append(layer);
  const flights = Array.from({ length: PIECES }, (_, index) => fly(layer, index));
  Promise.allSettled(flights.map((flight) => flight?.finished)).then(() => layer.remove());
}

/**
 * @param {HTMLElement} layer
 * @param {number} index
 */
function fly(layer, index) {
  const piece = element("span", index % 3 ? "confetti" : "confetti number", index % 3 ? "" : ((index / 3) % 9) + 1);
  layer.append(piece);
  const side = (index / (PIECES - 1) - 0.5) * innerWidth * 0.9;
  const height = innerHeight * (0.45 + 0.4 * Math.random());
  const turn = 720 * (Math.random() - 0.5);
  return animate(
    piece,
    [
      { transform: "translate(0, 0) scale(0.3)", opacity: 1, easing: "cubic-bezier(0.1, 0.7, 0.4, 1)" },
      { transform: `translate(${side * 0.7}px, ${-height}px) rotate(${turn / 2}deg)`, opacity: 1, offset: 0.45, easing: "cubic-bezier(0.5, 0, 0.9, 0.5)" },
      { transform: `translate(${side}px, 2rem) rotate(${turn}deg)`, opacity: 0 },
    ],
    { duration: 1400 + 500 * Math.random(), delay: 120 * Math.random(), fill: "both" },
  );
}
