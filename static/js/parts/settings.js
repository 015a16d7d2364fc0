// The settings: the reader's name, and for this device colours, language, sound, reactions, and how to be told that
// it's your turn.

import { find } from "./dom.js";

const YEAR = 365 * 24 * 60 * 60;
const LONGEST_REPLACEMENT = 2000;

/** Whether this device can notify at all. Without HTTPS, it can't. */
export const NOTIFIABLE = "Notification" in window && isSecureContext;

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
    box.dispatchEvent(new Event("settled"));
  });
}

/** @param {boolean} on */
async function agreeToNotify(on) {
  const allowed = on && (await Notification.requestPermission()) === "granted";
  find("#not-allowed").hidden = allowed || !on;
  find("#only-open").hidden = true;
  // Subscribing takes a moment, and a second tap waits for the first.
  subscribing = subscribing.then(async () => {
    const isPushed = (await withPush((push) => (allowed ? push.subscribe() : push.unsubscribe()))) === true;
    find("#only-open").hidden = !allowed || isPushed || !isOn("notification");
  });
  return allowed;
}

/** @type {Promise<void>} */
let subscribing = Promise.resolve();

/**
 * Do something about web push. Without a network there is no script for it.
 * @param {(push: typeof import("../net/push.js")) => Promise<boolean | void>} work
 */
function withPush(work) {
  return import("../net/push.js").then(work).catch(() => false);
}

/** @param {boolean} on */
async function agreeToSound(on) {
  if (on) (await import("./sound.js")).playTurn();
  return on;
}

/**
 * Use the module for names, which most pages never need. Without a network it can't be loaded, and nothing is saved.
 * @template T
 * @param {(names: typeof import("./my-name.js")) => T} use
 * @returns {Promise<T | true>}
 */
async function withNames(use) {
  const names = await import("./my-name.js").catch(() => null);
  return names ? use(names) : true;
}

const dialog = /** @type {HTMLDialogElement} */ (find("#settings"));
const nameField = /** @type {HTMLInputElement} */ (find("#settings [name=my-name]"));
find("#open-settings").addEventListener("click", () => {
  dialog.showModal();
  // Not the name: on a phone the keyboard would cover the rest.
  find("#settings-title").focus();
  withNames(({ showName }) => showName());
});
for (const type of ["focusin", "input", "change"]) {
  addEventListener(type, ({ target }) => {
    if (target instanceof HTMLInputElement && target.closest(".my-name")) withNames(({ edit }) => edit(target, type));
  });
}
nameField.addEventListener("keydown", (event) => {
  // Enter saves the name. It doesn't close the settings, because the name may be refused.
  if (event.key !== "Enter") return;
  event.preventDefault();
  withNames(({ saveName }) => saveName(nameField));
});
find("#settings form").addEventListener("submit", async (event) => {
  event.preventDefault();
  // With a name that is refused, the settings stay open and say why.
  if (await withNames(({ saveName }) => saveName(nameField))) dialog.close();
});
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
wireSwitch("notification", NOTIFIABLE, agreeToNotify);
if (NOTIFIABLE && isOn("notification")) withPush(({ renew }) => renew());
