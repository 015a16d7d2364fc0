// Languages: the scripts' own texts and the server's sentences, in the reader's language.

/** @import { Said, Seat, Value } from "../types.d.ts" */

/** @typedef {Record<string, string>} Words by their English */
/** @typedef {Record<string, string | number>} Values what the names in braces stand for */

/**
 * Who reads: what they call each player, and which player they are.
 * @typedef {{nameOf: (seat: Seat) => string, isYou: (seat: Seat) => boolean}} Reader
 */

/**
 * What `make messages` has written: the words of every page, those of hints and reviews, and those about the reader.
 * @type {Record<string, {words: () => Promise<{WORDS: Words, GAMES: typeof games}>} & Record<"solver" | "me", () => Promise<{WORDS: Words}>>>}
 */
const LANGUAGES = {
  de: {
    words: () => import("../languages/de.js"),
    solver: () => import("../languages/de-solver.js"),
    me: () => import("../languages/de-me.js"),
  },
};

const language = globalThis.document?.documentElement.lang || "en";
/** @type {Words} */
const words = {};
/** The words of each game. @type {Record<string, () => Promise<{WORDS: Words}>>} */
let games = {};
/** @type {Promise<void> | undefined} */
let solver;

/** @param {{WORDS: Words} | undefined} dictionary */
export function learn(dictionary) {
  Object.assign(words, dictionary?.WORDS);
}

/** Load what the solver says, too; most pages never need it. */
export function solverWords() {
  solver ??= Promise.resolve(LANGUAGES[language]?.solver()).then(learn);
  return solver;
}

/** Load what pages say about the reader, too. */
export async function listWords() {
  learn(await LANGUAGES[language]?.me());
}

/**
 * A text in the reader's language.
 * @param {string} text
 * @param {Values} [values]
 */
export function gettext(text, values = {}) {
  return fill(words[text] ?? text, values);
}

/**
 * A text in the reader's language, of those that only some pages load: the context says which.
 * @param {string} context
 * @param {string} text
 * @param {Values} [values]
 */
export function pgettext(context, text, values = {}) {
  return fill(words[`${context}\u0004${text}`] ?? text, values);
}

/**
 * A text with its values; a name without a value stays for later.
 * @param {string} text
 * @param {Values} values
 */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    return typeof value === "number" ? value.toLocaleString(language) : (value ?? whole);
  });
}

/**
 * A sentence of the server in the reader's language. `games/words/translation.py` does the same for pages.
 * @param {Said} sentence
 * @param {Reader} reader
 * @returns {string}
 */
export function say({ template, values, you }, reader) {
  const isYou = you !== undefined && reader.isYou(/** @type {Seat} */ (values.player));
  const parts = Object.entries(values).map(([name, value]) => [name, name === "player" ? reader.nameOf(/** @type {Seat} */ (value)) : part(value, reader)]);
  return gettext(isYou ? you : template, Object.fromEntries(parts));
}

/**
 * @param {Value} value
 * @param {Reader} reader
 * @returns {string | number}
 */
function part(value, reader) {
  if (Array.isArray(value)) return value.map((one) => part(one, reader)).join(", ");
  return typeof value === "object" ? say(value, reader) : value;
}

/**
 * Load what one game says, too: its board and its rules.
 * @param {string} game
 */
export async function gameWords(game) {
  learn(await games[game]?.());
}

const common = await LANGUAGES[language]?.words();
learn(common);
games = common?.GAMES ?? {};
