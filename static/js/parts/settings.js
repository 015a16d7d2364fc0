// Settings of this device: colours, language, sound, reactions, and how to be told that it's your turn.

import { find } from "./dom.js";

const YEAR = 365 * 24 * 60 * 60;
const LONGEST_REPLACEMENT = 2000;

/** @type {Record<string, boolean>} */
const DEFAULTS = { sound: false, reactions: true, vibration: true, notification: false };

/**
 * Whether a setting is on.
 * @param {string} name
 */
export function isOn(name) {
  try {
    const chosen = localStorage.getItem(name);
    return chosen === null ? DEFAULTS[name] : chosen === "on";
  } catch {
    // The browser blocks storage.
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
    // The browser blocks storage: the setting lasts as long as the page.
  }
}

/**
 * Save the theme in a cookie, so that the server renders the next page in it and nothing flickers.
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
 * Save the language in a cookie and reload the page in it.
 * @param {string} language
 */
async function chooseLanguage(language) {
  document.cookie = `language=${language}; path=/; max-age=${language === "auto" ? 0 : YEAR}; samesite=lax`;
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration) await Promise.race([replaceWorker(registration), new Promise((resolve) => setTimeout(resolve, LONGEST_REPLACEMENT))]);
  location.reload();
}

/**
 * Let a new service worker cache the offline page in the new language, and wait until it has taken over: a page
 * that is opened while workers change may hang.
 * @param {ServiceWorkerRegistration} registration
 */
async function replaceWorker(registration) {
  await registration.update().catch(() => {});
  const next = registration.installing ?? registration.waiting;
  if (!next) return;
  await new Promise((resolve) => {
    const check = () => (next.state === "activated" || next.state === "redundant") && resolve(null);
    next.addEventListener("statechange", check);
    check();
  });
}

/** Give the browser's own bars the colour of the page. */
function matchBrowserBars() {
  const background = getComputedStyle(document.body).backgroundColor;
  for (const bar of document.querySelectorAll("meta[name=theme-color]")) {
    bar.removeAttribute("media");
    bar.setAttribute("content", background);
  }
}

/**
 * Show a switch if the device supports it, and save changes.
 * @param {string} name
 * @param {boolean} isSupported
 * @param {(on: boolean) => boolean | Promise<boolean>} [agree] returns whether the switch may be on
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
  // A click on the backdrop has the dialog itself as its target.
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
