// Redeems a link or a recovery code, and asks first if this device already has matches of its own.

import { Refused, call } from "../net/api.js";
import { learn, say } from "../words/translate.js";
import { find } from "./dom.js";

const ANYONE = { nameOf: String, isYou: () => false };

learn({ WORDS: JSON.parse(find("#words").textContent ?? "{}") });

/**
 * What to tell the reader about something that failed.
 * @param {unknown} error
 * @returns {string}
 */
export function explain(error) {
  return error instanceof Refused ? say(error.sentence, ANYONE) : (find("#problem").dataset.offline ?? "");
}

/**
 * @param {string} path
 * @param {object} data
 * @returns {Promise<boolean>} false if the reader cancelled
 */
export async function redeem(path, data) {
  try {
    await call("POST", path, data);
    return true;
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== "has_guest") throw error;
    const chosen = await ask(explain(error));
    if (!chosen) return false;
    await call("POST", path, { ...data, merge: chosen === "both" });
    return true;
  }
}

/** @param {string} question */
function ask(question) {
  find("#merge-question").textContent = question;
  return chosenIn("#merge");
}

/**
 * Open a dialog and return the value of the button that closed it; empty if none did.
 * @param {string} selector
 * @returns {Promise<string>}
 */
export function chosenIn(selector) {
  const dialog = /** @type {HTMLDialogElement} */ (find(selector));
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true }));
}
