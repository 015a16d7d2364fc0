// What a player can do besides moving: resign, claim the win, ask for a hint, offer a rematch.

import { blink } from "./animate.js";
import { showBubble } from "./bubble.js";
import { find, setText } from "./dom.js";
import { WORDS, said } from "../words/say.js";
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
  find("#rematch").addEventListener("click", () => request("rematch"));
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
function showRematch({ rematch, status, you }, plays) {
  const offered = rematch.offered_by;
  const byMe = offered !== null && you.includes(offered);
  const canOffer = plays && status === "finished" && !rematch.next && !byMe;
  const button = find("#rematch");
  button.toggleAttribute("disabled", !canOffer);
  button.classList.toggle("inviting", canOffer);
  setText(button, byMe ? WORDS.offered : offered ? WORDS.accept : WORDS.rematch);
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
