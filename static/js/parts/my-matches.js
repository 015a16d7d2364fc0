// The reader's own matches, as a list that changes while it is shown.

import { nameOfGame, classesOf } from "./boards.js";
import { element } from "./dom.js";
import { updateList } from "./keyed-list.js";
import { copyText } from "./share.js";
import { WORDS, agoText, movesText, opponentOf, reasonOf, resultOf } from "../words/mine.js";
import { acceptText } from "../words/say.js";

/** @import { Mine } from "../types.d.ts" */
/** @import { Told } from "../net/me.js" */

/** Asks the server for something about a match; returns whether it worked. @typedef {(path: string, data?: object) => Promise<boolean>} Ask */

/** What is known about the reader's matches. */
export class MyMatches {
  /** @param {Mine[]} matches */
  constructor(matches) {
    this.byId = new Map(matches.map((match) => [match.id, match]));
  }

  /** @param {Told} told */
  hear(told) {
    if (told.type === "match") {
      const isWithdrawn = told.status === "cancelled" || told.status === "expired";
      if (isWithdrawn) this.byId.delete(told.id);
      else this.byId.set(told.id, told);
      return;
    }
    // These are all that go on. What isn't among them is over, and stays if it was known to be.
    for (const match of [...this.byId.values()]) if (match.status !== "finished") this.byId.delete(match.id);
    for (const match of told.matches) this.byId.set(match.id, match);
  }

  /** @param {Mine[]} matches */
  add(matches) {
    for (const match of matches) if (!this.byId.has(match.id)) this.byId.set(match.id, match);
  }

  /**
   * The matches that stand like this, the newest first.
   * @param {string} status
   */
  that(status) {
    return [...this.byId.values()].filter((match) => match.status === status).sort((one, two) => when(two) - when(one));
  }
}

/** @param {Mine} match */
function when({ created, ended, moved }) {
  return ended ?? moved ?? created;
}

/**
 * Show matches in a list. A row that changes is drawn again, the others stay.
 * @param {HTMLElement} list
 * @param {Mine[]} matches
 * @param {Ask} ask
 */
export function showMatches(list, matches, ask) {
  const items = matches.map((match) => ({ id: [match.id, match.version, match.status, JSON.stringify(match.rematch), match.opponent?.name].join(), match }));
  updateList(list, items, ({ match }) => createRow(match, ask));
}

/**
 * @param {Mine} match
 * @param {Ask} ask
 */
function createRow(match, ask) {
  const item = element("li", `mine ${classesOf(match.game)}`);
  const link = /** @type {HTMLAnchorElement} */ (element("a", "row"));
  link.href = `/m/${match.id}/`;
  const isOver = match.status === "finished";
  link.append(element("strong", "", nameOfGame(match.game)), element("span", "", opponentOf(match)));
  if (isOver) link.append(element("span", "result", resultOf(match)), element("span", "hint", reasonOf(match)));
  else if (match.version) link.append(element("span", "hint", movesText(match.version)));
  const time = element("time", "hint", agoText(when(match)));
  time.setAttribute("datetime", new Date(when(match) * 1000).toISOString());
  link.append(time);
  if (!isOver) link.append(element("span", "go", match.status === "your-turn" ? WORDS.play : WORDS.open));
  const buttons = element("div", "buttons");
  buttons.append(...(isOver ? afterwards(match, ask) : match.status === "open" ? inviting(match, ask) : []));
  item.append(link, buttons);
  return item;
}

/**
 * @param {Mine} match
 * @param {Ask} ask
 */
function inviting(match, ask) {
  // A link that other devices can open, where the page's own address may not be.
  const origin = document.querySelector("#mine")?.getAttribute("data-origin") ?? location.href;
  const url = new URL(`/m/${match.id}/`, origin).href;
  const copy = button(WORDS.copyLink, async () => {
    if (await copyText(url)) copy.textContent = WORDS.copied;
  });
  const share = button(WORDS.share, () => void navigator.share({ url }).catch(() => {}));
  share.hidden = typeof navigator.share !== "function";
  return [share, copy, button(WORDS.cancel, () => ask(`/api/matches/${match.id}/cancel/`))];
}

/**
 * @param {Mine} match
 * @param {Ask} ask
 */
function afterwards(match, ask) {
  const { id, outcome, rematch, you } = match;
  const offer = `/api/matches/${id}/rematch/`;
  /** @type {HTMLElement[]} */
  const found = outcome ? [anchor(WORDS.review, `/m/${id}/review/`)] : [];
  const canPlay = match.opponent !== null || match.same_device;
  if (rematch.next) found.push(anchor(WORDS.nextMatch, `/m/${rematch.next}/`));
  else if (!outcome || !canPlay) return found;
  else if (rematch.offered_by && you.includes(rematch.offered_by)) found.push(button(WORDS.offered, () => ask(offer, { withdraw: true })));
  else found.push(button(rematch.game ? acceptText(nameOfGame(rematch.game)) : WORDS.rematch, () => ask(offer)));
  return found;
}

/**
 * @param {string} text
 * @param {() => void} act
 */
function button(text, act) {
  const created = /** @type {HTMLButtonElement} */ (element("button", "", text));
  created.type = "button";
  created.addEventListener("click", act);
  return created;
}

/**
 * @param {string} text
 * @param {string} href
 */
function anchor(text, href) {
  const created = /** @type {HTMLAnchorElement} */ (element("a", "button", text));
  created.href = href;
  return created;
}
