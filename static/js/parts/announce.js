// Announces what happened: to screen readers, by sound, and with a celebration.

import { find, setText } from "./dom.js";
import { statusParts } from "./match-view.js";
import { isOn } from "./settings.js";
import { moveText, tell } from "../words/say.js";

/** @import { BoardModule, Entry, Seat, Snapshot } from "../types.d.ts" */

const NEWS_FOR = 4000;

/** @type {number | undefined} */
let newsTimer;

/**
 * Show a short message at the top of the page for a moment.
 * @param {string} text
 */
export function showNews(text) {
  setText(find("#news"), text);
  clearTimeout(newsTimer);
  newsTimer = setTimeout(() => setText(find("#news"), ""), NEWS_FOR);
}

/**
 * Tell screen readers what moves did and how the match stands now.
 * @param {BoardModule} game
 * @param {Snapshot} snapshot
 * @param {Entry[]} entries
 * @param {string} [more]
 */
export function readOut(game, snapshot, entries, more = "") {
  const sentences = entries.map((entry) => tell(game, snapshot, entry));
  sentences.push(statusParts(snapshot).join(": ") + ".");
  if (more) sentences.push(more);
  setText(find("#heard"), sentences.join(" "));
}

/** @param {Seat} winner */
export async function celebrateWin(winner) {
  (await import("./celebrate.js")).celebrate(winner);
}

/**
 * @param {Snapshot} snapshot
 * @param {Entry[]} entries
 * @param {boolean} myTurn
 */
export async function playSounds(snapshot, entries, myTurn) {
  if (!isOn("sound")) return;
  const { playEnd, playMove, playTurn } = await import("./sound.js");
  for (const entry of entries) if (typeof entry.move === "number") playMove(Number(moveText(entry)));
  if (snapshot.outcome) playEnd(!hasLost(snapshot));
  else if (myTurn) playTurn();
}

/**
 * Whether the reader lost the match; spectators and two people on one device don't lose.
 * @param {Snapshot} snapshot
 */
export function hasLost({ outcome, you }) {
  return outcome !== null && you.length === 1 && outcome.winner !== you[0];
}
