// Reactions: a word or two that everyone sees for a moment, beside the person who sent it.

import { grow } from "./animate.js";
import { find, setText } from "./dom.js";
import { reactionOf } from "../words/say.js";
import { isOn } from "./settings.js";

/** @import { Reaction, Snapshot } from "../types.d.ts" */

const SHOWN_FOR = 3000;

const reactButton = find("#react");
const choices = find("#reaction-choices");
/** The timers that hide the bubbles. @type {Map<Element, number>} */
const timers = new Map();

/**
 * Wire the button, the choices, and the setting that mutes reactions.
 * @param {(reaction: string) => void} send
 */
export function wireReactions(send) {
  const setting = /** @type {HTMLInputElement} */ (find("#reactions"));
  reactButton.hidden = !isOn("reactions");
  setting.addEventListener("change", () => {
    reactButton.hidden = !setting.checked;
    if (!setting.checked) clearReactions();
  });
  reactButton.addEventListener("click", () => toggle(Boolean(choices.hidden)));
  choices.addEventListener("click", (event) => {
    const chosen = /** @type {Element} */ (event.target).closest("button");
    if (!chosen) return;
    send(chosen.value);
    toggle(false);
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !choices.hidden) toggle(false);
  });
  document.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (!choices.hidden && !reactButton.contains(target) && !choices.contains(target)) close();
  });
}

/**
 * Open or close the choices and move the focus there or back.
 * @param {boolean} isOpen
 */
function toggle(isOpen) {
  if (!isOpen) {
    close();
    reactButton.focus();
    return;
  }
  choices.hidden = false;
  reactButton.setAttribute("aria-expanded", "true");
  choices.querySelector("button")?.focus();
}

function close() {
  choices.hidden = true;
  reactButton.setAttribute("aria-expanded", "false");
}

/**
 * Show a reaction and read it out, unless reactions are muted.
 * @param {Snapshot} snapshot
 * @param {Reaction} reaction
 */
export function showReaction(snapshot, { by, reaction }) {
  const choice = choices.querySelector(`[value="${reaction}"]`);
  if (!choice || !isOn("reactions")) return;
  const bubble = find(`${by ? `#player-${by}` : "#crowd"} .reaction`);
  bubble.replaceChildren(...choice.cloneNode(true).childNodes);
  bubble.dataset.reaction = reaction;
  bubble.hidden = false;
  grow(bubble);
  setText(find("#reacted"), reactionOf(snapshot, by, choice.textContent));
  clearTimeout(timers.get(bubble));
  timers.set(bubble, setTimeout(() => hide(bubble), SHOWN_FOR));
}

/** @param {Element} bubble */
function hide(bubble) {
  /** @type {HTMLElement} */ (bubble).hidden = true;
  timers.delete(bubble);
  // Clear it, or the same reaction would not be read out again.
  if (!timers.size) setText(find("#reacted"), "");
}

export function clearReactions() {
  for (const [bubble, timer] of timers) {
    clearTimeout(timer);
    hide(bubble);
  }
}
