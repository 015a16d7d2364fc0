// What a player can do besides moving: resign, claim the win, ask for a hint, offer a rematch.

import { blink } from "./animate.js";
import { showBubble } from "./bubble.js";
import { find, setText } from "./dom.js";
import { WORDS, acceptText, said } from "../words/say.js";
import { solverWords } from "../words/translate.js";

/** @import { Follower } from "../net/follow.js" */
/** @import { Hint, Snapshot } from "../types.d.ts" */

/**
 * @param {Follower} follower
 * @param {(type: string, fields?: object) => void} request sends a request to the server
 */
export function wireActions(follower, request) {
  const dialog = /** @type {HTMLDialogElement} */ (find("#confirm-resign"));
  find("#resign").addEventListener("click", () => {
    // The dialog keeps its last answer, and Escape would repeat it.
    dialog.returnValue = "";
    dialog.showModal();
  });
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "resign") request("resign");
  });
  find("#claim").addEventListener("click", () => request("claim"));
  find("#hint").addEventListener("click", () => request("hint", { version: follower.version }));
  find("#rematch").addEventListener("click", () => {
    const { snapshot } = follower;
    request("rematch", snapshot && isMyOffer(snapshot) ? { withdraw: true } : {});
  });
  find("#rematch-here").addEventListener("click", () => find("#rematch").click());
  const watch = (/** @type {IntersectionObserverEntry[]} */ entries) => {
    isInView = entries[entries.length - 1].intersectionRatio > 0.99;
    showRematchHere();
  };
  new IntersectionObserver(watch, { threshold: 1 }).observe(find("#rematch"));
  find("#other-games").addEventListener("click", (event) => {
    const button = /** @type {HTMLElement} */ (event.target).closest("button");
    if (button) request("rematch", { game: button.dataset.game });
  });
}

/** Whether all of the rematch button is on the screen. */
let isInView = true;

/** Show the button on the screen that stands for the one below it. */
function showRematchHere() {
  const button = find("#rematch");
  const here = find("#rematch-here");
  here.hidden = isInView || button.hasAttribute("disabled") || find("#actions").hidden;
  setText(here, button.textContent ?? "");
}

/** @param {Snapshot} snapshot */
function isMyOffer({ rematch, you }) {
  return rematch.offered_by !== null && you.includes(rematch.offered_by);
}

/**
 * @param {Snapshot} snapshot
 * @param {boolean} mayMove
 */
export function showActions(snapshot, mayMove) {
  const plays = snapshot.you.length > 0;
  find("#actions").hidden = !plays;
  find("#resign").toggleAttribute("disabled", !(plays && snapshot.status === "live"));
  const hint = find("#hint");
  hint.hidden = !(snapshot.same_device || snapshot.players[1]?.level || snapshot.players[2]?.level);
  hint.toggleAttribute("disabled", !mayMove);
  // On one device or against the computer there are hints, and nobody to claim a win from.
  find("#claim").hidden = !hint.hidden;
  find("#review").hidden = snapshot.status !== "finished";
  showRematch(snapshot, plays);
}

/**
 * @param {Snapshot} snapshot
 * @param {boolean} plays
 */
function showRematch(snapshot, plays) {
  const { players, rematch, status } = snapshot;
  const byMe = isMyOffer(snapshot);
  const isAlone = players[1]?.former || players[2]?.former;
  const isOver = plays && status === "finished" && !rematch.next && !isAlone;
  const button = find("#rematch");
  button.toggleAttribute("disabled", !isOver);
  button.classList.toggle("inviting", isOver && !byMe);
  const games = find("#other-games");
  games.hidden = !isOver;
  for (const other of games.querySelectorAll("button")) {
    other.setAttribute("aria-pressed", String(byMe && other.dataset.game === rematch.game));
  }
  const another = games.querySelector(`[data-game="${rematch.game}"]`);
  const accept = another ? acceptText(another.textContent ?? "") : WORDS.accept;
  setText(button, byMe ? WORDS.withdraw : rematch.offered_by ? accept : WORDS.rematch);
  showRematchHere();
  const link = /** @type {HTMLAnchorElement} */ (find("#follow"));
  link.hidden = !rematch.next;
  if (rematch.next) link.href = `/m/${rematch.next}/`;
}

/**
 * Point at the move of a hint and explain it.
 * @param {Snapshot} snapshot
 * @param {Hint} hint
 */
export async function showHint(snapshot, hint) {
  await solverWords();
  if (hint.version !== snapshot.version) return;
  const tile = /** @type {HTMLElement | null} */ (find("#board").querySelector(`[data-move="${hint.move}"]`));
  blink(tile);
  showBubble(tile, said(snapshot, hint));
}
