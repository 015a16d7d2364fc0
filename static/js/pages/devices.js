// A guest's devices: list and sign out, another device, the recovery code, download and forget.

import { call } from "../net/api.js";
import { chosenIn, explain, redeem } from "../parts/arriving.js";
import { find, setText } from "../parts/dom.js";
import { copyText, wireSharing } from "../parts/share.js";
import { WORDS } from "../words/say.js";
import { say } from "../words/translate.js";

/** @typedef {import("../types.d.ts").Said & {number: number, seen: string, this: boolean}} Device */

const SHOWN_FOR = 8000;
const ANYONE = { nameOf: String, isYou: () => false };

/** @type {{devices?: Device[], recovery?: string | null}} */
let known = JSON.parse(find("#known-devices").textContent ?? "{}");
/** @type {number | undefined} */
let timer;

/**
 * Run what a button does; show what went wrong.
 * @param {string} selector
 * @param {() => Promise<void>} work
 */
function onClick(selector, work) {
  const button = /** @type {HTMLButtonElement} */ (find(selector));
  button.addEventListener("click", () => attempt(work));
}

/** @param {() => Promise<void>} work */
async function attempt(work) {
  setText(find("#problem"), "");
  try {
    await work();
  } catch (error) {
    setText(find("#problem"), explain(error));
    setTimeout(() => setText(find("#problem"), ""), SHOWN_FOR);
  }
}

/**
 * A day as this reader writes it.
 * @param {HTMLElement} target
 * @param {string} day
 */
function showDay(target, day) {
  const time = /** @type {HTMLTimeElement} */ (target.querySelector("time"));
  time.dateTime = day;
  // Noon, because a day alone would be midnight in another time zone.
  time.textContent = new Date(`${day}T12:00:00`).toLocaleDateString(document.documentElement.lang, { dateStyle: "medium" });
}

function show() {
  const devices = known.devices ?? [];
  find("#devices").replaceChildren(...devices.map(row));
  find("#sign-out-others").hidden = devices.length < 2;
  showRecovery(known.recovery ?? null);
}

/** @param {Device} device */
function row(device) {
  const template = /** @type {HTMLTemplateElement} */ (find("#device"));
  const item = /** @type {HTMLElement} */ (template.content.cloneNode(true)).firstElementChild;
  const made = /** @type {HTMLElement} */ (item);
  const label = say(device, ANYONE);
  setText(made.querySelector("strong"), label);
  /** @type {HTMLElement} */ (made.querySelector(".this")).hidden = !device.this;
  const used = /** @type {HTMLElement} */ (made.querySelector(".used"));
  used.hidden = device.this;
  showDay(used, device.seen);
  const button = /** @type {HTMLButtonElement} */ (made.querySelector("button"));
  button.setAttribute("aria-label", `${button.textContent}: ${label}`);
  button.addEventListener("click", () => attempt(() => (device.this ? leaveHere() : signOut({ device: device.number }))));
  return made;
}

/** @param {object} which */
async function signOut(which) {
  known = await call("POST", "/api/me/devices/sign-out/", which);
  show();
  find("#devices-title").focus();
}

async function leaveHere() {
  const hasWayBack = Boolean(known.recovery) || (known.devices ?? []).length > 1;
  find("#no-way-back").hidden = hasWayBack;
  find("#way-back").hidden = !hasWayBack;
  const here = known.devices?.find((device) => device.this);
  if (!here || !(await chosenIn("#confirm-sign-out"))) return;
  await call("POST", "/api/me/devices/sign-out/", { device: here.number });
  leave();
}

function leave() {
  location.assign(find("#mine").dataset.home ?? "/");
}

async function showLink() {
  const { url, expires_in: seconds, qr } = await call("POST", "/api/me/device-links/");
  /** @type {HTMLInputElement} */ (find("#link")).value = url;
  find("#qr").innerHTML = qr;
  find("#link-panel").hidden = false;
  setText(find("#link-over"), "");
  countDown(performance.now() + seconds * 1000);
}

/** @param {number} end */
function countDown(end) {
  clearTimeout(timer);
  const left = Math.ceil((end - performance.now()) / 1000);
  if (left <= 0) {
    find("#link-panel").hidden = true;
    find("#qr").replaceChildren();
    setText(find("#link-over"), find("#link-over").dataset.text ?? "");
    return;
  }
  find("#left").textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  timer = setTimeout(() => countDown(end), 1000);
}

/** @param {string | null} day */
function showRecovery(day) {
  const state = find("#has-code");
  state.hidden = !day;
  find("#delete-code").hidden = !day;
  const { first, again } = find("#new-code").dataset;
  setText(find("#new-code"), (day ? again : first) ?? "");
  if (day) showDay(state, day);
}

async function makeCode() {
  const { code } = await call("POST", "/api/me/recovery/");
  const input = /** @type {HTMLTextAreaElement} */ (find("#code"));
  input.value = code;
  find("#code-panel").hidden = false;
  const today = new Date();
  known.recovery = [today.getFullYear(), today.getMonth() + 1, today.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
  showRecovery(known.recovery);
  input.focus();
  input.select();
}

async function deleteCode() {
  await call("DELETE", "/api/me/recovery/");
  known.recovery = null;
  find("#code-panel").hidden = true;
  /** @type {HTMLTextAreaElement} */ (find("#code")).value = "";
  showRecovery(null);
  find("#new-code").focus();
}

async function copyCode() {
  const code = /** @type {HTMLTextAreaElement} */ (find("#code"));
  const isCopied = await copyText(code.value, code);
  find("#copy-code").textContent = isCopied ? WORDS.copied : WORDS.copyByHand;
}

async function forget() {
  if (!(await chosenIn("#confirm-forget"))) return;
  await call("POST", "/api/me/forget/", { confirm: true });
  leave();
}

find("#recover").addEventListener("submit", (event) => {
  event.preventDefault();
  const typed = /** @type {HTMLInputElement} */ (find("#typed"));
  attempt(async () => {
    if (await redeem("/api/me/recover/", { code: typed.value })) location.reload();
  });
});

if (known.devices) {
  show();
  wireSharing();
  onClick("#sign-out-others", () => signOut({ others: true }));
  onClick("#new-link", showLink);
  onClick("#new-code", makeCode);
  onClick("#delete-code", deleteCode);
  onClick("#copy-code", copyCode);
  onClick("#forget", forget);
}
