// Notifies a reader who has pages open, but none in view, of what happens in matches that this page doesn't show.

import { isOn } from "./settings.js";
import { whatHappened } from "../net/me.js";

/** @import { Mine } from "../types.d.ts" */
/** @import { Told } from "../net/me.js" */

/** How matches stood when they were last heard of. @type {Map<string, Mine>} */
const known = new Map();

/** @param {Told} told */
export function noticeMatches(told) {
  if (told.type === "me") {
    for (const match of told.matches) known.set(match.id, match);
    return;
  }
  const what = whatHappened(known.get(told.id), told);
  known.set(told.id, told);
  const { opponent, game, status, url } = told;
  if (what && opponent) notice({ what, isTurn: status === "your-turn", name: opponent.name, game, url });
}

/** Only a match's page doesn't hear what it is about. @param {number} count how many other matches wait */
export function noticeCount(count) {
  notice({ what: "others", count, url: "/me/" });
}

/**
 * Let the service worker notify, unless it finds a page in view. It has the words.
 * @param {object} happened
 */
async function notice(happened) {
  if (!document.hidden || !isOn("notification")) return;
  (await navigator.serviceWorker?.getRegistration())?.active?.postMessage(happened);
}
