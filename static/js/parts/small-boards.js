// Listed matches that are being played: the socket that tells of them, and each as a small board.

import { classesOf, loadBoard, nameOfGame } from "./boards.js";
import { connect } from "../net/connect.js";
import { element, find } from "./dom.js";
import { WORDS, audience, playersOf } from "../words/say.js";

/** @import { BoardModule, Live } from "../types.d.ts" */

/** @type {Map<string, BoardModule>} */
const boards = new Map();

/**
 * Hear of the lobby whenever it has changed, once the boards that it needs are there.
 * @param {(lobby: {open: any[], live: Live[]}) => void} show
 */
export function followLobby(show) {
  /** The newest message: one that had to wait for a board may be older. @type {any} */
  let newest = null;
  connect("/ws/lobby/", {
    async message(message) {
      if (message.type !== "lobby") return;
      newest = message;
      for (const { game } of message.live) {
        if (!boards.has(game)) boards.set(game, await loadBoard(game));
      }
      if (newest === message) show(message);
    },
    connection(connected) {
      find("#lobby-connection").textContent = connected ? "" : WORDS.noConnection;
    },
  });
}

/**
 * Bring a list up to date and leave alone what stays: a finger may be on it.
 * @template {{id: string}} Shown
 * @param {HTMLElement} list
 * @param {Shown[]} matches
 * @param {(match: Shown) => HTMLElement} make
 */
export function arrange(list, matches, make) {
  const known = new Map([...list.children].map((item) => [/** @type {HTMLElement} */ (item).dataset.id, item]));
  for (const [id, item] of known) {
    if (!matches.some((match) => match.id === id)) item.remove();
  }
  for (const [index, match] of matches.entries()) {
    const item = known.get(match.id) ?? make(match);
    /** @type {HTMLElement} */ (item).dataset.id = match.id;
    if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null);
  }
}

/** Small boards, each with a door: what leads to its match. */
export class SmallBoards {
  /** @param {(match: Live) => HTMLElement} makeDoor */
  constructor(makeDoor) {
    this.makeDoor = makeDoor;
    /** By match, so that a change is drawn and not built anew. @type {Map<string, (match: Live) => void>} */
    this.drawers = new Map();
  }

  /** @param {Live[]} matches */
  draw(matches) {
    for (const id of this.drawers.keys()) {
      if (!matches.some((match) => match.id === id)) this.drawers.delete(id);
    }
    for (const match of matches) this.drawers.get(match.id)?.(match);
  }

  /** @param {Live} match */
  make(match) {
    const card = element("li", "live-match");
    const door = this.makeDoor(match);
    const players = element("span", "hint");
    door.classList.add("row");
    door.append(element("strong", "", nameOfGame(match.game)), players);
    const root = element("div", `board mini ${classesOf(match.game)}`);
    // A picture of the board: nothing in it can be focused, touched, or read out.
    root.setAttribute("inert", "");
    root.setAttribute("aria-hidden", "true");
    card.append(door, root);
    const board = boards.get(match.game)?.createBoard(root, match.state, () => {});
    this.drawers.set(match.id, (now) => {
      players.textContent = [playersOf(now), audience(now.spectators)].filter(Boolean).join(", ");
      board?.draw({ state: now.state, legal: new Set(), why: {}, turn: null, mine: false, pending: null, last: [] });
    });
    return card;
  }
}
