// Live now: every listed match in small, and one of them large, as its spectators see it.

import { connect } from "../net/connect.js";
import { classesOf, loadBoard, nameOfGame } from "../parts/boards.js";
import { Follower } from "../net/follow.js";
import { SmallBoards, arrange, followLobby } from "../parts/small-boards.js";
import { element, find, setText } from "../parts/dom.js";
import { clearReactions, showReaction, wireReactions } from "../parts/reactions.js";
import { hideReason, showReason } from "../parts/bubble.js";
import { WORDS, audience, nowShown, tell } from "../words/say.js";
import { showPlayers, showStatus, statusParts, viewOf } from "../parts/stage.js";
import { translated } from "../words/translate.js";

/** @import { Board, BoardModule, Entry, Live, Seat, Snapshot } from "../types.d.ts" */

const RESULT_FOR = 6000;

/** The listed matches that are being played. @type {Live[]} */
let live = [];
/** Who stands where in the list, so that nothing moves when a match ends. @type {(string | null)[]} */
let places = [];
/** @type {Featured | null} */
let featured = null;
let reactions = 0;

const small = new SmallBoards((match) => {
  const button = element("button", "plain");
  button.setAttribute("type", "button");
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => {
    feature(match);
    find("#stage").scrollIntoView();
  });
  return button;
});

followLobby((lobby) => {
  live = lobby.live;
  places = keepPlaces(places, live);
  const inPlaces = places.map((id, index) => live.find((match) => match.id === id) ?? { id: `free-${index}` });
  arrange(find("#live-matches"), inPlaces, (match) => ("game" in match ? small.make(match) : element("li", "free")));
  small.draw(live);
  if (!featured) featureNext();
  showAround();
});

wireReactions((reaction) => {
  reactions += 1;
  featured?.connection.send({ type: "react", reaction, id: `r${reactions}` });
});

document.addEventListener("click", (event) => {
  if (!(/** @type {Element} */ (event.target).closest(".tile"))) hideReason();
});

/**
 * Matches that go on stay where they are; new ones take the places of those that ended.
 * @param {(string | null)[]} before
 * @param {Live[]} matches
 */
function keepPlaces(before, matches) {
  const ids = matches.map((match) => match.id);
  const after = before.map((id) => (id && ids.includes(id) ? id : null));
  for (const id of ids.filter((one) => !before.includes(one))) {
    const free = after.indexOf(null);
    after[free < 0 ? after.length : free] = id;
  }
  while (after.at(-1) === null) after.pop();
  return after;
}

/** What is there besides the large match. */
function showAround() {
  find("#nothing").hidden = featured !== null || live.length > 0;
  // The small ones wait for the large one: it would push them away.
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
  showAround();
}

/** The next one: that in which the same two go on, or else any. */
function featureNext() {
  const rematch = featured?.follower.board?.rematch.next;
  const others = live.filter((match) => match.id !== featured?.match.id);
  const next = others.find((match) => match.id === rematch) ?? others[0];
  if (next) {
    feature(next);
    return;
  }
  featured?.leave();
  featured = null;
  find("#stage").hidden = true;
  showAround();
}

/** The match that is shown large. */
class Featured {
  /** @param {Live} match */
  constructor(match) {
    this.match = match;
    this.follower = new Follower(() => "");
    /** @type {Board | null} */
    this.board = null;
    /** @type {number | undefined} */
    this.ending = undefined;
    this.loading = loadBoard(match.game);
    this.connection = connect(`/ws/match/${match.id}/`, {
      message: async (message) => {
        const game = await this.loading;
        if (featured === this) this.take(message, game);
      },
      connection(_, isOver) {
        if (isOver) featureNext();
      },
      heartbeat: () => (this.follower.board ? { type: "ping", version: this.follower.version } : null),
    });
  }

  leave() {
    clearTimeout(this.ending);
    this.connection.close();
    clearReactions();
    hideReason();
  }

  /**
   * @param {any} message
   * @param {BoardModule} game
   */
  take(message, game) {
    // Lists show generated names only, so there is nothing to moderate.
    if (message.type === "snapshot") message.players = this.match.players;
    const { entries, gap } = this.follower.take(message);
    if (gap) this.connection.send({ type: "ping", version: this.follower.version });
    const shown = this.follower.board;
    if (!shown || message.type === "pong") return;
    if (message.type === "reaction") {
      showReaction(shown, message);
      return;
    }
    if (message.type === "rejected") {
      showReason(null, translated(message.text));
      return;
    }
    this.board ??= this.begin(shown, game);
    this.show(shown, this.board, game);
    if (entries.length) this.tellOf(shown, entries, this.board, game);
    if (shown.status !== "live") this.ending ??= setTimeout(featureNext, RESULT_FOR);
  }

  /**
   * Take the place of the match that was shown before.
   * @param {Snapshot} shown
   * @param {BoardModule} game
   */
  begin(shown, game) {
    const root = element("div", "board");
    root.id = "board";
    find("#board").replaceWith(root);
    find("#match").className = `watch drawn ${classesOf(shown.game)}`;
    find("#stage").hidden = false;
    showAround();
    setText(find("#featured"), nameOfGame(shown.game));
    /** @type {HTMLAnchorElement} */ (find("#open-match")).href = `/m/${shown.id}/`;
    setText(find("#heard"), nowShown(nameOfGame(shown.game), this.match));
    return game.createBoard(root, shown.first_state, (_, tile) => {
      showReason(tile, shown.you.length ? WORDS.openToPlay : WORDS.watching);
    });
  }

  /**
   * @param {Snapshot} shown
   * @param {Board} board
   * @param {BoardModule} game
   */
  show(shown, board, game) {
    board.draw({ ...viewOf(this.follower, shown), mine: false });
    showStatus(game, shown);
    showPlayers(shown, this.follower.presence);
    setText(find("#spectators"), audience(this.follower.presence?.spectators ?? 0));
  }

  /**
   * @param {Snapshot} shown
   * @param {Entry[]} entries
   * @param {Board} board
   * @param {BoardModule} game
   */
  tellOf(shown, entries, board, game) {
    hideReason();
    board.animate(entries.flatMap((entry) => entry.events));
    const sentences = entries.map((entry) => tell(game, shown, entry));
    sentences.push(statusParts(shown).join(": ") + ".");
    setText(find("#heard"), sentences.join(" "));
    if (shown.outcome) party(shown.outcome.winner);
  }
}

/** @param {Seat} winner */
async function party(winner) {
  (await import("../parts/celebrate.js")).celebrate(winner);
}
