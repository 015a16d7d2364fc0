// Your turn: the title and the icon say it; a vibration and a notification call who looks elsewhere.

import { WORDS } from "../words/say.js";
import { isOn } from "./settings.js";

const title = document.title;
const icon = /** @type {HTMLLinkElement} */ (document.querySelector("#icon"));
const quiet = icon.href;

/** @param {boolean} mine */
export function showTurnInTitle(mine) {
  document.title = mine ? `${WORDS.yourTurn} – ${title}` : title;
  const wanted = mine ? String(icon.dataset.turn) : quiet;
  if (icon.getAttribute("href") !== wanted && icon.href !== wanted) icon.href = wanted;
}

/**
 * Call somebody to the board, once.
 * @param {string} text what has happened
 */
export async function alertTurn(text) {
  // A page that nobody has touched yet may not.
  if (isOn("vibration") && navigator.userActivation?.hasBeenActive) navigator.vibrate?.([60, 60, 60]);
  if (!document.hidden || !isOn("notification") || !("Notification" in window)) return;
  if (Notification.permission !== "granted") return;
  const options = { body: text, tag: location.pathname, icon: String(icon.dataset.turn), data: location.href };
  const worker = await navigator.serviceWorker?.getRegistration();
  // Phones take notifications from a worker only.
  if (worker) worker.showNotification(WORDS.yourTurn, options);
  else new Notification(WORDS.yourTurn, options);
}
