// Motion, from the server's events: short, cut off by whatever comes next, never in the way of input.

import { element } from "./dom.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

export const SPRING = "cubic-bezier(0.3, 1.5, 0.5, 1)";
const FALL = "cubic-bezier(0.5, 0, 0.9, 0.6)";

/**
 * Move something, unless whoever looks at it wants stillness.
 * @param {Element | null | undefined} target
 * @param {Keyframe[]} frames
 * @param {KeyframeAnimationOptions} options
 * @returns {Animation | null}
 */
export function animate(target, frames, options) {
  if (!target || still.matches) return null;
  return target.animate(frames, { duration: 320, easing: "ease-out", ...options });
}

/**
 * From where it was to where it is now.
 * @param {Element | null | undefined} target
 * @param {Element | null | undefined} from
 */
export function fly(target, from) {
  if (!target || !from) return;
  const [start, end] = [from.getBoundingClientRect(), target.getBoundingClientRect()];
  if (!start.width || !end.width) return;
  const [x, y] = [middle(start).x - middle(end).x, middle(start).y - middle(end).y];
  animate(target, [{ transform: `translate(${x}px, ${y}px) scale(1.15)` }, { transform: "none" }], { easing: SPRING, duration: 420 });
}

/** @param {DOMRect} box */
function middle(box) {
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

/** Falls from above and gives way a little. @param {Element | null | undefined} target */
export function drop(target) {
  animate(
    target,
    [
      { transform: "translateY(-9rem)", opacity: 0, easing: FALL },
      { transform: "none", opacity: 1, offset: 0.6 },
      { transform: "translateY(0.12rem) scale(1.06, 0.82)", offset: 0.75 },
      { transform: "none" },
    ],
    { duration: 420 },
  );
}

/** Grows out of nothing. @param {Element | null | undefined} target */
export function grow(target) {
  animate(target, [{ transform: "scale(0)", opacity: 0 }, { transform: "none", opacity: 1 }], { easing: SPRING, duration: 450 });
}

/** Says no, kindly. @param {Element | null | undefined} target */
export function shake(target) {
  const at = (/** @type {number} */ x) => ({ transform: `translateX(${x}px)` });
  animate(target, [at(0), at(-5), at(5), at(-3), at(0)], { duration: 300 });
}

/** Dims for a moment. @param {Element | null | undefined} target */
export function blink(target) {
  animate(target, [{ opacity: 1 }, { opacity: 0.35 }, { opacity: 1 }], { duration: 500 });
}

/** Draws a line as a hand would. @param {Element | null | undefined} path */
export function drawLine(path) {
  animate(path, [{ strokeDashoffset: 1 }, { strokeDashoffset: 0 }], { duration: 350, easing: "ease-in-out" });
}

/**
 * Break a piece into four that fall away.
 * @param {HTMLElement} piece where it was
 * @param {string} text what was written on it
 */
export function crumble(piece, text) {
  if (still.matches) return;
  for (const [number, [x, turn]] of [[-18, -40], [16, 35], [-10, 25], [22, -30]].entries()) {
    const shard = element("span", `shard shard-${number + 1}`, text);
    shard.setAttribute("aria-hidden", "true");
    piece.append(shard);
    const falling = animate(
      shard,
      [
        { transform: "none", opacity: 1 },
        { transform: `translate(${x}px, 4.5rem) rotate(${turn}deg)`, opacity: 0 },
      ],
      { duration: 550, delay: 120 + 40 * number, easing: FALL, fill: "both" },
    );
    falling?.finished.catch(() => {}).then(() => shard.remove());
  }
}
