// The *Tell me* buttons of a match's page: the same switch as in the settings, one tap away.

import { find, setText } from "./dom.js";
import { NOTIFIABLE } from "./settings.js";

/** @import { Snapshot } from "../types.d.ts" */

// Only players' pages have one.
const place = /** @type {HTMLElement | null} */ (document.querySelector(".tell-me"));
const box = /** @type {HTMLInputElement} */ (find("#notification"));

export function wireTellMe() {
  if (!NOTIFIABLE || !place) return;
  find(".tell-me button").addEventListener("click", () => box.click());
  // The settings say so when the browser has answered.
  box.addEventListener("settled", refresh);
  refresh();
}

function refresh() {
  const on = box.checked;
  find(".tell-me button").setAttribute("aria-pressed", String(on));
  const hint = find(".tell-me .hint");
  const { on: whenOn, off, denied } = hint.dataset;
  setText(hint, String(on ? whenOn : Notification.permission === "denied" ? denied : off));
}

/**
 * Offer it to players who wait for another person.
 * @param {Snapshot} snapshot
 */
export function showTellMe({ players, same_device: sameDevice, status, you }) {
  if (!place) return;
  const alone = sameDevice || players[1]?.level || players[2]?.level;
  place.hidden = !NOTIFIABLE || !you.length || Boolean(alone) || (status !== "open" && status !== "live");
  // The invitation goes when somebody joins, but this stays.
  if (status === "live" && place.closest("#waiting")) find("#stage .after").append(place);
}
