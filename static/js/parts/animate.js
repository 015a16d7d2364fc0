// Short animations of what the server's events say happened. They never block input.

import { element } from "./dom.js";

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

export const SPRING = "cubic-bezier(0.3, 1.5, 0.5, 1)";
const FALL = "cubic-bezier(0.5, 0, 0.9, 0.6)";

/**
 * Animate an element, unless the reader prefers reduced motion.
 * @param {Element | null | undefined} target
 * @param {Keyframe[]} frames
 * @param {KeyframeAnimationOptions} options
 * @returns {Animation | null}
 */
export function animate(target, frames, options) {
  if (!target || reducedMotion.matches) return null;
  return target.animate(frames, { duration: 320, easing: "ease-out", ...options });
}

/**
 * Move an element from another's place to its own.
 * @param {Element | null | undefined} target
 * @param {Element | null | undefined} from
 */
export function fly(target, from) {
  if (!target || !from) return;
  const [start, end] = [from.getBoundingClientRect(), target.getBoundingClientRect()];
  if (!start.width || !end.width) return;
  const [x, y] = [centre(start).x - centre(end).x, centre(start).y - centre(end).y];
  animate(target, [{ transform: `translate(${x}px, ${y}px) scale(1.15)` }, { transform: "none" }], { easing: SPRING, duration: 420 });
}

/** @param {DOMRect} box */
function centre(box) {
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

/** Let an element fall from above and bounce. @param {Element | null | undefined} target */
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

/** Let an element grow from nothing. @param {Element | null | undefined} target */
export function grow(target) {
  animate(target, [{ transform: "scale(0)", opacity: 0 }, { transform: "none", opacity: 1 }], { easing: SPRING, duration: 450 });
}

/** Shake an element: this is not possible. @param {Element | null | undefined} target */
export function shake(target) {
  const at = (/** @type {number} */ x) => ({ transform: `translateX(${x}px)` });
  animate(target, [at(0), at(-5), at(5), at(-3), at(0)], { duration: 300 });
}

/** Dim an element for a moment, to point at it. @param {Element | null | undefined} target */
export function blink(target) {
  animate(target, [{ opacity: 1 }, { opacity: 0.35 }, { opacity: 1 }], { duration: 500 });
}

/** Draw a line from its start to its end. @param {Element | null | undefined} path */
export function drawLine(path) {
  animate(path, [{ strokeDashoffset: 1 }, { strokeDashoffset: 0 }], { duration: 350, easing: "ease-in-out" });
}

/**
 * Break a piece into four shards that fall away.
 * @param {HTMLElement} piece
 * @param {string} text what is written on it
 */
export function crumble(piece, text) {
  if (reducedMotion.matches) return;
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
