// The share panel: copies the link or opens the device's share sheet.

import { find } from "./dom.js";
import { WORDS } from "../words/say.js";

/** Wire the share panel, if the page has one. */
export function wireSharing() {
  const input = /** @type {HTMLInputElement | null} */ (document.querySelector("#link"));
  if (!input) return;
  const copy = find("#copy");
  const share = find("#share");
  copy.addEventListener("click", async () => {
    const isCopied = await copyText(input.value, input);
    copy.textContent = isCopied ? WORDS.copied : WORDS.copyByHand;
    setTimeout(() => (copy.textContent = WORDS.copy), 2000);
  });
  input.addEventListener("focus", () => input.select());
  // Share sheets exist on secure pages only, and not on every device.
  share.hidden = typeof navigator.share !== "function";
  share.addEventListener("click", () => {
    // Closing the sheet rejects the promise. That is fine.
    navigator.share({ title: document.title, url: input.value }).catch(() => {});
  });
}

/**
 * Copy a text; without the browser's permission, from an input that shows it.
 * @param {string} text
 * @param {HTMLInputElement | HTMLTextAreaElement} [input]
 * @returns {Promise<boolean>}
 */
export async function copyText(text, input) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Not allowed here: fall back to the old way.
    }
  }
  if (input) {
    input.select();
    return document.execCommand("copy");
  }
  const shown = document.body.appendChild(document.createElement("input"));
  shown.value = text;
  shown.select();
  const isCopied = document.execCommand("copy");
  shown.remove();
  return isCopied;
}
