// The list of moves, and the buttons and keys to look back.

import { element, find } from "./dom.js";
import { onShortcut } from "./keyboard.js";
import { moveLabel, moveText } from "../words/say.js";

/** @import { Follower } from "../net/follow.js" */
/** @import { Entry, Snapshot } from "../types.d.ts" */

export class MoveList {
  /**
   * @param {Follower} follower
   * @param {() => void} onLook called after the follower looks at another version
   */
  constructor(follower, onLook) {
    this.follower = follower;
    this.onLook = onLook;
    find("#first").addEventListener("click", () => this.lookAt(0));
    find("#previous").addEventListener("click", () => this.lookAt(follower.shownVersion - 1));
    find("#next").addEventListener("click", () => this.lookAt(follower.shownVersion + 1));
    find("#live").addEventListener("click", () => this.lookAt(follower.version));
    onShortcut((event) => {
      const versions = {
        ArrowLeft: follower.shownVersion - 1,
        ArrowRight: follower.shownVersion + 1,
        Home: 0,
        End: follower.version,
      };
      if (!(event.key in versions)) return;
      event.preventDefault();
      this.lookAt(versions[/** @type {keyof versions} */ (event.key)]);
    });
  }

  /** @param {number} version */
  lookAt(version) {
    this.follower.lookAt(version);
    this.onLook();
  }

  /** @param {Snapshot} snapshot */
  show({ history }) {
    const { isLive, shownVersion } = this.follower;
    const list = find("#moves");
    while (list.children.length > history.length) list.lastElementChild?.remove();
    for (const entry of history.slice(list.children.length)) list.append(this.createItem(entry));
    for (const [index, item] of [...list.children].entries()) {
      const isShown = index + 1 === shownVersion;
      if (isShown) item.firstElementChild?.setAttribute("aria-current", "step");
      else item.firstElementChild?.removeAttribute("aria-current");
      if (isShown) scrollListTo(list, /** @type {HTMLElement} */ (item));
    }
    for (const id of ["#first", "#previous"]) find(id).toggleAttribute("disabled", shownVersion === 0);
    for (const id of ["#next", "#live"]) find(id).toggleAttribute("disabled", isLive);
    find("#match").classList.toggle("looking-back", !isLive);
  }

  /** @param {Entry} entry */
  createItem(entry) {
    const item = element("li");
    const button = element("button", `seat-${entry.seat}`, moveText(entry));
    button.setAttribute("type", "button");
    button.setAttribute("aria-label", moveLabel(entry));
    button.addEventListener("click", () => this.lookAt(entry.version));
    item.append(button);
    return item;
  }
}

/**
 * Scroll only the list: scrollIntoView would move the page too.
 * @param {HTMLElement} list
 * @param {HTMLElement} item
 */
function scrollListTo(list, item) {
  list.scrollLeft = item.offsetLeft - list.offsetLeft - list.clientWidth / 2;
}
