// Handing over a link: copied, by the device's own way of sharing, or as a QR code on the page.

import { find } from "./dom.js";
import { WORDS } from "../words/say.js";

/** Wire the share panel, where the page has one. */
export function wireSharing() {
  const input = /** @type {HTMLInputElement | null} */ (document.querySelector("#link"));
  if (!input) return;
  const copy = find("#copy");
  const share = find("#share");
  copy.addEventListener("click", async () => {
    const done = await copyText(input);
    copy.textContent = done ? WORDS.copied : WORDS.copyByHand;
    setTimeout(() => (copy.textContent = WORDS.copy), 2000);
  });
  input.addEventListener("focus", () => input.select());
  // Only secure pages, and not every device, have a share sheet.
  share.hidden = typeof navigator.share !== "function";
  share.addEventListener("click", () => {
    // Closing the sheet rejects; nothing has to follow from it.
    navigator.share({ title: document.title, url: input.value }).catch(() => {});
  });
}

/**
 * @param {HTMLInputElement} input
 * @returns {Promise<boolean>}
 */
async function copyText(input) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(input.value);
      return true;
    } catch {
      // Not allowed here: the old way may still be.
    }
  }
  input.select();
  return document.execCommand("copy");
}
