// A link from another device was opened: redeem it after a tap.

import { explain, redeem } from "../parts/arriving.js";
import { find } from "../parts/dom.js";

const secret = location.hash.slice(1);
// The secret needn't stay in the address bar or in the history.
history.replaceState(null, "", location.pathname);

const form = /** @type {HTMLFormElement} */ (find("#arrive"));
const button = /** @type {HTMLButtonElement} */ (find("#continue"));
button.disabled = !secret;
if (!secret) find("#no-secret").textContent = find("#no-secret").dataset.text ?? "";

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  find("#problem").textContent = "";
  try {
    if (await redeem("/api/me/arrive/", { secret })) location.replace(form.dataset.next ?? "/");
  } catch (error) {
    find("#problem").textContent = explain(error);
  }
  button.disabled = false;
});
