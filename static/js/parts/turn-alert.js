// Tells players that they are waited for: in the title and icon, by vibration, and by notification.

import { WORDS } from "../words/say.js";
import { isOn } from "./settings.js";

const title = document.title;
const icon = /** @type {HTMLLinkElement} */ (document.querySelector("#icon"));
const usualIcon = icon.href;

/** @param {string} text what the reader is waited for, or nothing */
export function showInTitle(text) {
  document.title = text ? `${text} – ${title}` : title;
  const wanted = text ? String(icon.dataset.turn) : usualIcon;
  if (icon.getAttribute("href") !== wanted && icon.href !== wanted) icon.href = wanted;
}

/**
 * Vibrate, and notify a player who is looking at another page.
 * @param {string} text what has happened
 * @param {string} [heading]
 */
export async function alertTurn(text, heading = WORDS.yourTurn) {
  // Browsers vibrate only after the first click.
  if (isOn("vibration") && navigator.userActivation?.hasBeenActive) navigator.vibrate?.([60, 60, 60]);
  if (!document.hidden || !isOn("notification") || !("Notification" in window)) return;
  if (Notification.permission !== "granted") return;
  const options = { body: text, tag: location.pathname, icon: String(icon.dataset.turn), data: location.href };
  const worker = await navigator.serviceWorker?.getRegistration();
  // Phones show notifications of service workers only.
  if (worker) worker.showNotification(heading, options);
  else new Notification(heading, options);
}
