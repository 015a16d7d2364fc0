// Pieces of pages: finds them, makes them, and writes on them.

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
 * Screen readers read a live region again whenever it is written to.
 * @param {Element | null} target
 * @param {string} text
 */
export function setText(target, text) {
  if (target && target.textContent !== text) target.textContent = text;
}

/**
 * Fill a parent anew, but only when what it shows has changed: motion in it goes on meanwhile.
 * @param {HTMLElement} parent
 * @param {string} shown what tells one content from another
 * @param {() => Element[]} make
 */
export function refill(parent, shown, make) {
  if (parent.dataset.shown === shown) return;
  parent.dataset.shown = shown;
  parent.replaceChildren(...make());
}
