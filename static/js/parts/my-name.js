// The fields for the reader's own name: they show it, and save a new one for all matches.

import { Refused, call, isGuest } from "../net/api.js";
import { setText } from "./dom.js";
import { WORDS, said } from "../words/say.js";
import { listWords } from "../words/translate.js";

// Why a name is refused is in the words about the reader.
await listWords();

const LONGEST = 20;
const ADDRESS = "/api/me/";

/** The name that is being saved. @type {{name: string, result: Promise<boolean>} | null} */
let saving = null;

/** All name fields of the page. They come with the name the server knows, except in the settings. */
function fields() {
  return /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(".my-name input"));
}

/**
 * React to what happens to a name field.
 * @param {HTMLInputElement} field
 * @param {string} type
 */
export function edit(field, type) {
  if (type === "input") check(field);
  // Joining saves the name too, and makes the browser a guest.
  if (type === "change" && (isGuest() || field.name !== "name")) saveName(field);
}

/** Ask the server for the name, and show it in the fields in which nobody has begun to type. */
export async function showName() {
  if (!isGuest()) return;
  const profile = await call("GET", ADDRESS).catch(() => null);
  if (profile) show(profile);
}

/**
 * @param {{name: string, generated: string}} profile
 * @param {string} [sent] the name that was saved, which may look different now
 */
function show({ name, generated }, sent) {
  const chosen = name === generated ? "" : name;
  for (const field of fields()) {
    if (field.value === field.defaultValue || field.value.trim() === sent) field.value = chosen;
    // The name that the server knows.
    field.defaultValue = chosen;
    field.placeholder = generated;
  }
}

/**
 * Say at once if a name is too long. People count an emoji as one character, and so does the server.
 * @param {HTMLInputElement} field
 */
function check(field) {
  tell(field, "");
  const isLong = "Segmenter" in Intl && [...new Intl.Segmenter().segment(field.value.trim())].length > LONGEST;
  field.setCustomValidity(isLong ? WORDS.longName : "");
}

/**
 * Save the name in a field; return whether the server has it.
 * @param {HTMLInputElement} field
 * @returns {Promise<boolean>}
 */
export async function saveName(field) {
  const name = field.value.trim();
  if (saving?.name === name) return saving.result;
  if (name === field.defaultValue) return true;
  check(field);
  if (!field.checkValidity()) {
    tell(field, field.validationMessage);
    return false;
  }
  saving = { name, result: send(field, name) };
  const isSaved = await saving.result;
  saving = null;
  return isSaved;
}

/**
 * @param {HTMLInputElement} field
 * @param {string} name
 */
async function send(field, name) {
  try {
    show(await call("PATCH", ADDRESS, { name }), name);
    document.documentElement.dataset.guest = "yes";
    tell(field, WORDS.nameSaved);
    return true;
  } catch (error) {
    tell(field, error instanceof Refused ? said(null, error.sentence) : WORDS.needsConnection);
    return false;
  }
}

/**
 * @param {HTMLInputElement} field
 * @param {string} text
 */
function tell(field, text) {
  setText(document.getElementById(field.getAttribute("aria-describedby") ?? ""), text);
}
