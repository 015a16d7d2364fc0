// Languages: the scripts' own words, and the sentences that the server makes in English for everyone.

/** @typedef {Record<string, string>} Words by their English */
/** @typedef {Record<string, string | number>} Values what the names in braces stand for */
/** @typedef {{WORDS: Words, PHRASES: Words, KINDS?: Words}} Catalogue */

/**
 * What `make messages` has written: for every page, and what the solver says, for those who ask it.
 * @type {Record<string, {words: () => Promise<Catalogue>, solver: () => Promise<Catalogue>}>}
 */
const CATALOGUES = {
  de: { words: () => import("../languages/de.js"), solver: () => import("../languages/de-solver.js") },
};

const language = globalThis.document?.documentElement.lang || "en";
/** @type {Words} */
const words = {};
/** What each name in a phrase stands for. @type {Words} */
const kinds = {};
/** What recognises a sentence, and what it means. @type {[RegExp, string][]} */
const phrases = [];
/** @type {Promise<void> | undefined} */
let solver;

/** @param {Catalogue | undefined} catalogue */
function learn(catalogue) {
  Object.assign(words, catalogue?.WORDS);
  Object.assign(kinds, catalogue?.KINDS);
  for (const [text, meaning] of Object.entries(catalogue?.PHRASES ?? {})) phrases.push([recogniser(text), meaning]);
}

/** Also know what the solver says; most pages never need it. */
export function solverWords() {
  solver ??= Promise.resolve(CATALOGUES[language]?.solver()).then(learn);
  return solver;
}

/**
 * A text of a script, in the reader's language.
 * @param {string} text
 * @param {Values} [values]
 */
export function gettext(text, values = {}) {
  return fill(words[text] ?? text, values);
}

/**
 * A text with its values; a name without one stays for later.
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
 * A text of the server, in the reader's language; it stays as it is where nobody knows it.
 * games/phrases.py does the same for pages, and says what a phrase is.
 * @param {string} text
 */
export function translated(text) {
  return whole(text) ?? text.replaceAll(". ", ".\n").split("\n").map((one) => whole(one) ?? one).join(" ");
}

/** @param {string} text */
function whole(text) {
  for (const [recognise, meaning] of phrases) {
    const found = recognise.exec(text);
    if (!found) continue;
    const parts = Object.entries(found.groups ?? {}).map(([name, value]) => [name, part(value)]);
    return fill(meaning, Object.fromEntries(parts));
  }
  return null;
}

/**
 * A part of a sentence; a sentence within another has lost its capital letter.
 * @param {string} text
 * @returns {string}
 */
function part(text) {
  return whole(text) ?? whole(text.charAt(0).toUpperCase() + text.slice(1)) ?? text.split(", ").map((one) => whole(one) ?? one).join(", ");
}

/** @param {string} text */
function recogniser(text) {
  const known = new Set();
  const source = text.replace(/[.?()]/g, "\\$&").replace(/\{(\w+)\}/g, (_, name) => {
    const kind = kinds[name] ?? kinds[""];
    const again = known.has(name);
    known.add(name);
    return again ? `(?:${kind})` : `(?<${name}>${kind})`;
  });
  return new RegExp(`^(?:${source})$`);
}

learn(await CATALOGUES[language]?.words());
