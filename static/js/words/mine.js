// What lists of the reader's own matches say.

import { called, said } from "./say.js";
import { listWords, pgettext } from "./translate.js";

/** @import { Mine, Seat } from "../types.d.ts" */

await listWords();

export const nothingWaits = pgettext("me", "No match is waiting for you.");

export const WORDS = {
  yourTurn: pgettext("me", "Your turn"),
  play: pgettext("me", "Play"),
  open: pgettext("me", "Open"),
  copyLink: pgettext("me", "Copy link"),
  copied: pgettext("me", "Copied"),
  share: pgettext("me", "Share"),
  cancel: pgettext("me", "Cancel"),
  review: pgettext("me", "Review"),
  rematch: pgettext("me", "Rematch"),
  offered: pgettext("me", "Rematch offered. Withdraw"),
  nextMatch: pgettext("me", "Next match"),
  failed: pgettext("me", "That didn't work. Check your connection and try again."),
};

/**
 * Against whom.
 * @param {Mine} match
 */
export function opponentOf({ opponent, same_device: sameDevice, listed, status }) {
  if (sameDevice) return pgettext("me", "on this device");
  if (opponent) return pgettext("me", "against {name}", { name: called(opponent) });
  if (status !== "open") return pgettext("me", "against a former player");
  return listed ? pgettext("me", "listed in the lobby") : pgettext("me", "by link");
}

/**
 * How a match ended, for its player.
 * @param {Mine} match
 */
export function resultOf(match) {
  const { opponent, outcome, same_device: sameDevice, you } = match;
  if (!outcome) return pgettext("me", "Not finished");
  if (sameDevice) return pgettext("me", "Player {seat} won", { seat: outcome.winner });
  if (you.includes(outcome.winner)) return pgettext("me", "You won");
  return opponent ? pgettext("me", "{name} won", { name: called(opponent) }) : pgettext("me", "You lost");
}

/**
 * Why it ended that way.
 * @param {Mine} match
 */
export function reasonOf({ opponent, outcome, same_device: sameDevice, you }) {
  if (!outcome) return "";
  /** @param {Seat} seat */
  const player = (seat) => (you.includes(seat) ? { name: "" } : opponent);
  const snapshot = { players: { 1: player(1), 2: player(2) }, same_device: sameDevice, you };
  return said(/** @type {any} */ (snapshot), outcome);
}

/**
 * How many moves there were.
 * @param {number} count
 */
export function movesText(count) {
  return pgettext("me", "move {count}", { count });
}

const UNITS = /** @type {[Intl.RelativeTimeFormatUnit, number][]} */ ([
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
]);

/**
 * How long ago something was; a date if it is more than a week.
 * @param {number} time in seconds
 */
export function agoText(time) {
  const language = document.documentElement.lang;
  const seconds = Math.max(0, Date.now() / 1000 - time);
  if (seconds > 7 * 86400) return new Date(time * 1000).toLocaleDateString(language, { dateStyle: "medium" });
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const [unit, length] = UNITS.find(([, each]) => seconds >= each) ?? ["second", 1];
  return format.format(unit === "second" ? 0 : -Math.floor(seconds / length), unit);
}
