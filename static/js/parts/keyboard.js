// Keyboard shortcuts of a page.

/**
 * Call a handler for every key, except while the reader types, uses a dialog, or holds a modifier.
 * @param {(event: KeyboardEvent) => void} handle
 */
export function onShortcut(handle) {
  addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches?.("input, textarea, dialog *") || event.altKey || event.ctrlKey || event.metaKey) return;
    handle(event);
  });
}
