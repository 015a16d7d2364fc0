// Live now: every listed match in small, and one of them large, as its spectators see it.

import { followLobby } from "../net/lobby.js";
import { connect } from "../net/connect.js";
import { Follower } from "../net/follow.js";
import { celebrateWin, readOut } from "../parts/announce.js";
import { classesOf, loadBoard, nameOfGame } from "../parts/boards.js";
import { hideBubble, showBubble, wireBubble } from "../parts/bubble.js";
import { element, find, setText } from "../parts/dom.js";
import { updateList } from "../parts/keyed-list.js";
import { boardView, showPlayers, showStatus } from "../parts/match-view.js";
import { clearReactions, showReaction, wireReactions } from "../parts/reactions.js";
import { SmallBoards, loadBoards, showLobbyConnection } from "../parts/small-boards.js";
import { WORDS, audience, nowShown, said } from "../words/say.js";

/** @import { Board, BoardModule, Entry, Live, Snapshot } from "../types.d.ts" */

const RESULT_FOR = 6000;

/** The listed matches that are being played. @type {Live[]} */
let live = [];
/** The match in each place of the list, so that nothing moves when one ends. @type {(string | null)[]} */
let slots = [];
/** The match that is shown large. @type {Featured | null} */
let featured = null;
let reactions = 0;

const smallBoards = new SmallBoards((match) => {
  const button = element("button", "plain");
  button.setAttribute("type", "button");
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => {
    feature(match);
    find("#stage").scrollIntoView();
  });
  return button;
});

followLobby({
  prepare: loadBoards,
  show(lobby) {
    live = lobby.live;
    slots = assignSlots(slots, live);
    const inSlots = slots.map((id, index) => live.find((match) => match.id === id) ?? { id: `free-${index}` });
    updateList(find("#live-matches"), inSlots, (match) => ("game" in match ? smallBoards.createCard(match) : element("li", "free")));
    smallBoards.draw(live);
    if (!featured) featureNext();
    showRest();
  },
  onConnection: showLobbyConnection,
});

wireReactions((reaction) => {
  reactions += 1;
  featured?.connection.send({ type: "react", reaction, id: `r${reactions}` });
});

wireBubble();

/**
 * Keep running matches where they are, and put new ones in the slots of those that ended.
 * @param {(string | null)[]} before
 * @param {Live[]} matches
 */
function assignSlots(before, matches) {
  const ids = matches.map((match) => match.id);
  const after = before.map((id) => (id && ids.includes(id) ? id : null));
  for (const id of ids.filter((one) => !before.includes(one))) {
    const free = after.indexOf(null);
    after[free < 0 ? after.length : free] = id;
  }
  while (after.at(-1) === null) after.pop();
  return after;
}

/** Show what surrounds the large match: the small ones, or a notice that there are none. */
function showRest() {
  find("#nothing").hidden = featured !== null || live.length > 0;
  // The small ones wait for the large one, which would push them down.
  find("#all").hidden = live.length === 0 || (featured !== null && find("#stage").hidden !== false);
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".live-match"))) {
    card.firstElementChild?.setAttribute("aria-pressed", String(card.dataset.id === featured?.match.id));
  }
}

/** @param {Live} match */
function feature(match) {
  if (featured?.match.id === match.id) return;
  featured?.leave();
  featured = new Featured(match);
  showRest();
}

/** Feature the rematch of the match that ended, or else any other. */
function featureNext() {
  const rematch = featured?.follower.snapshot?.rematch.next;
  const others = live.filter((match) => match.id !== featured?.match.id);
  const next = others.find((match) => match.id === rematch) ?? others[0];
  if (next) {
    feature(next);
    return;
  }
  featured?.leave();
  featured = null;
  find("#stage").hidden = true;
  showRest();
}

class Featured {
  /** @param {Live} match */
  constructor(match) {
    this.match = match;
    this.follower = new Follower(() => "");
    /** @type {Board | null} */
    this.board = null;
    /** @type {number | undefined} */
    this.nextTimer = undefined;
    this.game = loadBoard(match.game);
    this.connection = connect(`/ws/match/${match.id}/`, {
      onMessage: async (message) => {
        const game = await this.game;
        if (featured === this) this.receive(message, game);
      },
      onConnection(_, isFinal) {
        if (isFinal) featureNext();
      },
      heartbeat: () => (this.follower.snapshot ? { type: "ping", version: this.follower.version } : null),
    });
  }

  leave() {
    clearTimeout(this.nextTimer);
    this.connection.close();
    clearReactions();
    hideBubble();
  }

  /**
   * @param {any} message
   * @param {BoardModule} game
   */
  receive(message, game) {
    // On public pages players have generated names, so there is nothing to moderate.
    if (message.type === "snapshot") message.players = this.match.players;
    const { entries, gap } = this.follower.receive(message);
    if (gap) this.connection.send({ type: "ping", version: this.follower.version });
    const snapshot = this.follower.snapshot;
    if (!snapshot || message.type === "pong") return;
    if (message.type === "reaction") {
      showReaction(snapshot, message);
      return;
    }
    if (message.type === "rejected") {
      showBubble(null, said(null, message));
      return;
    }
    this.board ??= this.start(snapshot, game);
    this.show(snapshot, this.board, game);
    if (entries.length) this.announce(snapshot, entries, this.board, game);
    if (snapshot.status !== "live") this.nextTimer ??= setTimeout(featureNext, RESULT_FOR);
  }

  /**
   * Replace the match that was shown before.
   * @param {Snapshot} snapshot
   * @param {BoardModule} game
   */
  start(snapshot, game) {
    const root = element("div", "board");
    root.id = "board";
    find("#board").replaceWith(root);
    find("#match").className = `watch drawn ${classesOf(snapshot.game)}`;
    find("#stage").hidden = false;
    showRest();
    setText(find("#featured"), nameOfGame(snapshot.game));
    /** @type {HTMLAnchorElement} */ (find("#open-match")).href = `/m/${snapshot.id}/`;
    setText(find("#heard"), nowShown(nameOfGame(snapshot.game), this.match));
    return game.createBoard(root, snapshot.first_state, (_, tile) => {
      showBubble(tile, snapshot.you.length ? WORDS.openToPlay : WORDS.watching);
    });
  }

  /**
   * @param {Snapshot} snapshot
   * @param {Board} board
   * @param {BoardModule} game
   */
  show(snapshot, board, game) {
    board.draw({ ...boardView(this.follower, snapshot), mine: false });
    showStatus(game, snapshot);
    showPlayers(snapshot, this.follower.presence);
    setText(find("#spectators"), audience(this.follower.presence?.spectators ?? 0));
  }

  /**
   * @param {Snapshot} snapshot
   * @param {Entry[]} entries
   * @param {Board} board
   * @param {BoardModule} game
   */
  announce(snapshot, entries, board, game) {
    hideBubble();
    board.animate(entries.flatMap((entry) => entry.events));
    readOut(game, snapshot, entries);
    if (snapshot.outcome) celebrateWin(snapshot.outcome.winner);
  }
}
