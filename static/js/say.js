// Sentences and pieces of pages: everything that makes elements and words.

/** @import { Entry, Seat, Snapshot } from "./types.d.ts" */

/**
 * Make an element.
 * @param {string} tag
 * @param {string} [className]
 * @param {string | number} [text]
 * @returns {HTMLElement}
 */
export function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== "") made.textContent = String(text);
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make a piece of a drawing.
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {string | number} [text]
 * @returns {SVGElement}
 */
export function shape(tag, attributes, text = "") {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text !== "") made.textContent = String(text);
  return made;
}

/**
 * @param {string} selector
 * @returns {HTMLElement}
 */
export function find(selector) {
  const found = document.querySelector(selector);
  if (!found) throw new Error(`The page has no ${selector}`);
  return /** @type {HTMLElement} */ (found);
}

/**
 * Whom a sentence is about.
 * @param {Snapshot} board
 * @param {Seat} seat
 */
export function nameOf(board, seat) {
  if (board.same_device) return `Player ${seat}`;
  if (board.you.includes(seat)) return "You";
  return board.players[seat]?.name ?? `Player ${seat}`;
}

/**
 * What the server says of "Player 1", with the names people know.
 * @param {Snapshot} board
 * @param {string} text
 */
export function withNames(board, text) {
  return text.replace(/Player ([12])('s)?/g, (_, digit, genitive) => {
    const seat = /** @type {Seat} */ (Number(digit));
    const name = nameOf(board, seat);
    if (name === "You") return genitive ? "your" : "you";
    return name + (genitive ?? "");
  });
}

/**
 * One line of the move list.
 * @param {Entry} entry
 */
export function moveText(entry) {
  if (entry.decision === "resign") return "resigns";
  if (entry.decision === "claim") return "claims the win";
  const taken = entry.events.find((event) => event.type === "taken");
  return String(taken ? taken.number : entry.move);
}
