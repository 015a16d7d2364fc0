// The number in the header: how many matches wait for the reader.

import { find, setText } from "./dom.js";

const title = document.title;

/**
 * @param {number} count
 * @param {boolean} [inTitle] whether the page's title shows it too
 */
export function showWaiting(count, inTitle = false) {
  const link = find("#my-matches");
  setText(link.querySelector(".count"), count ? String(count) : "");
  const { label = "", waiting = "" } = link.dataset;
  link.setAttribute("aria-label", count ? waiting.replace("{count}", String(count)) : label);
  if (inTitle) document.title = count ? `(${count}) ${title}` : title;
}
