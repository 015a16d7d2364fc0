// Finds, creates and fills elements of the page.

/**
 * Create an element.
 * @param {string} tag
 * @param {string} [className]
 * @param {string | number} [text]
 * @returns {HTMLElement}
 */
export function element(tag, className = "", text = "") {
  const created = document.createElement(tag);
  if (className) created.className = className;
  if (text !== "") created.textContent = String(text);
  return created;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * Create an SVG element.
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {string | number} [text]
 * @returns {SVGElement}
 */
export function shape(tag, attributes, text = "") {
  const created = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, String(value));
  if (text !== "") created.textContent = String(text);
  return created;
}

/**
 * Return the element, or throw if the page has none.
 * @param {string} selector
 * @returns {HTMLElement}
 */
export function find(selector) {
  const found = document.querySelector(selector);
  if (!found) throw new Error(`The page has no ${selector}`);
  return /** @type {HTMLElement} */ (found);
}

/**
 * Set a text only if it has changed: screen readers repeat a live region on every write.
 * @param {Element | null} target
 * @param {string} text
 */
export function setText(target, text) {
  if (target && target.textContent !== text) target.textContent = text;
}

/**
 * Replace an element's children only if what it shows has changed, so that animations in it go on.
 * @param {HTMLElement} parent
 * @param {string} key what it shows
 * @param {() => Element[]} create
 */
export function refill(parent, key, create) {
  if (parent.dataset.shown === key) return;
  parent.dataset.shown = key;
  parent.replaceChildren(...create());
}
