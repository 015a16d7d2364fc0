// What people choose for this device: colours, language, sound, reactions, and how to be called to their turn.

import { find } from "./dom.js";

const YEAR = 365 * 24 * 60 * 60;

/** What is on before anybody has chosen. @type {Record<string, boolean>} */
const DEFAULTS = { sound: false, reactions: true, vibration: true, notification: false };

/**
 * Whether something is switched on.
 * @param {string} name
 */
export function isOn(name) {
  try {
    const chosen = localStorage.getItem(name);
    return chosen === null ? DEFAULTS[name] : chosen === "on";
  } catch {
    // A browser that keeps nothing for us.
    return DEFAULTS[name];
  }
}

/**
 * @param {string} name
 * @param {boolean} on
 */
function save(name, on) {
  try {
    localStorage.setItem(name, on ? "on" : "off");
  } catch {
    // It holds for this page.
  }
}

/**
 * A cookie, so that the server sends the next page in the right colours from its first byte.
 * @param {string} theme
 */
function chooseTheme(theme) {
  const isSet = theme !== "auto";
  document.cookie = `theme=${theme}; path=/; max-age=${isSet ? YEAR : 0}; samesite=lax`;
  if (isSet) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  matchBrowserBars();
}

/**
 * A cookie too; the whole page is in one language, so it comes anew.
 * @param {string} language
 */
async function chooseLanguage(language) {
  document.cookie = `language=${language}; path=/; max-age=${language === "auto" ? 0 : YEAR}; samesite=lax`;
  // The page for no network changes its language with the worker that keeps it.
  const worker = await navigator.serviceWorker?.getRegistration();
  worker?.update().catch(() => {});
  location.reload();
}

/** The browser's own bars have the colour of the page. */
function matchBrowserBars() {
  const ground = getComputedStyle(document.body).backgroundColor;
  for (const bar of document.querySelectorAll("meta[name=theme-color]")) {
    bar.removeAttribute("media");
    bar.setAttribute("content", ground);
  }
}

/**
 * Show a switch where it makes sense, and keep what is chosen.
 * @param {string} name
 * @param {boolean} isSupported
 * @param {(on: boolean) => boolean | Promise<boolean>} [agree] may say no to being switched on
 */
function wireSwitch(name, isSupported, agree = (on) => on) {
  const box = /** @type {HTMLInputElement} */ (find(`#${name}`));
  /** @type {HTMLElement} */ (box.parentElement).hidden = !isSupported;
  box.checked = isOn(name);
  box.addEventListener("change", async () => {
    box.checked = await agree(box.checked);
    save(name, box.checked);
  });
}

/** @param {boolean} on */
async function agreeToNotify(on) {
  const allowed = on && (await Notification.requestPermission()) === "granted";
  find("#not-allowed").hidden = allowed || !on;
  return allowed;
}

/** @param {boolean} on */
async function agreeToSound(on) {
  if (on) (await import("./sound.js")).playTurn();
  return on;
}

const dialog = /** @type {HTMLDialogElement} */ (find("#settings"));
find("#open-settings").addEventListener("click", () => dialog.showModal());
dialog.addEventListener("click", (event) => {
  // Beside the dialog, which is its backdrop.
  if (event.target === dialog) dialog.close();
});
for (const choice of dialog.querySelectorAll("[name=theme]")) {
  choice.addEventListener("change", () => chooseTheme(/** @type {HTMLInputElement} */ (choice).value));
}
for (const choice of dialog.querySelectorAll("[name=language]")) {
  choice.addEventListener("change", () => chooseLanguage(/** @type {HTMLInputElement} */ (choice).value));
}
if (document.documentElement.dataset.theme) matchBrowserBars();
wireSwitch("sound", "AudioContext" in window, agreeToSound);
wireSwitch("reactions", true);
wireSwitch("vibration", "vibrate" in navigator && matchMedia("(pointer: coarse)").matches);
wireSwitch("notification", "Notification" in window && isSecureContext, agreeToNotify);
