// Small boards of live matches, each on a card with a link or button that leads to its match.

import { classesOf, loadBoard, nameOfGame } from "./boards.js";
import { element, find, setText } from "./dom.js";
import { WORDS, audience, playersOf } from "../words/say.js";

/** @import { BoardModule, Live } from "../types.d.ts" */

/** @type {Map<string, BoardModule>} */
const boards = new Map();

/**
 * Load the boards of all games that are being played.
 * @param {{live: Live[]}} lobby
 */
export async function loadBoards({ live }) {
  for (const { game } of live) {
    if (!boards.has(game)) boards.set(game, await loadBoard(game));
  }
}

/** @param {boolean} connected */
export function showLobbyConnection(connected) {
  setText(find("#lobby-connection"), connected ? "" : WORDS.noConnection);
}

export class SmallBoards {
  /** @param {(match: Live) => HTMLElement} createControl returns the link or button of a card */
  constructor(createControl) {
    this.createControl = createControl;
    /** How to redraw each card, by match, so that a change doesn't rebuild it. @type {Map<string, (match: Live) => void>} */
    this.redraws = new Map();
  }

  /** @param {Live[]} matches */
  draw(matches) {
    for (const id of this.redraws.keys()) {
      if (!matches.some((match) => match.id === id)) this.redraws.delete(id);
    }
    for (const match of matches) this.redraws.get(match.id)?.(match);
  }

  /** @param {Live} match */
  createCard(match) {
    const card = element("li", "live-match");
    const control = this.createControl(match);
    const players = element("span", "hint");
    control.classList.add("row");
    control.append(element("strong", "", nameOfGame(match.game)), players);
    const root = element("div", `board mini ${classesOf(match.game)}`);
    // It is only a picture: nothing in it can be focused, clicked, or read out.
    root.setAttribute("inert", "");
    root.setAttribute("aria-hidden", "true");
    card.append(control, root);
    const board = boards.get(match.game)?.createBoard(root, match.state, () => {});
    this.redraws.set(match.id, (now) => {
      players.textContent = [playersOf(now), audience(now.spectators)].filter(Boolean).join(", ");
      board?.draw({ state: now.state, legal: new Set(), why: {}, turn: null, mine: false, pending: null, last: [] });
    });
    return card;
  }
}
