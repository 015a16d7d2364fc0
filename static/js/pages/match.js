// A match's page: connects the socket, the follower, and the parts of the page.

import { celebrateWin, hasLost, playSounds, readOut, showNews } from "../parts/announce.js";
import { showActions, showHint, wireActions } from "../parts/actions.js";
import { shake } from "../parts/animate.js";
import { loadBoard } from "../parts/boards.js";
import { hideBubble, showBubble, wireBubble } from "../parts/bubble.js";
import { find, setText } from "../parts/dom.js";
import { onShortcut } from "../parts/keyboard.js";
import { boardView, isMyTurn, showStatus } from "../parts/match-view.js";
import { MoveList } from "../parts/move-list.js";
import { PresenceView } from "../parts/presence.js";
import { showReaction, wireReactions } from "../parts/reactions.js";
import { wireSharing } from "../parts/share.js";
import { showTellMe, wireTellMe } from "../parts/tell-me.js";
import { alertTurn, showInTitle } from "../parts/turn-alert.js";
import { showWaiting } from "../parts/waiting-count.js";
import { connect } from "../net/connect.js";
import { Follower } from "../net/follow.js";
import { WORDS, called, choices, notYourTurn, offerText, said, standing, tell, whyNot } from "../words/say.js";

/** @import { Board, Entry, Move, Snapshot } from "../types.d.ts" */

const RETRY_EVERY = 2500;

const page = find("#match");
const game = await loadBoard(String(page.dataset.game));
const follower = new Follower(() => Date.now().toString(36) + Math.random().toString(36).slice(2, 8));
const moveList = new MoveList(follower, () => {
  hideBubble();
  show();
});
const presenceView = new PresenceView(follower);
/** @type {Board | null} */
let board = null;
let connected = false;
/** Whether the first attempt to connect has ended, well or not. */
let tried = false;
let isFinal = false;
/** Whether the reader looked at an invitation when somebody joined, and it isn't clear yet who. */
let wondering = false;
/** Why the server refused the connection. */
let connectionError = "";
/** How many other matches wait for the reader. */
let waiting = 0;
/** Ids of requests other than moves that have no answer yet. @type {Set<string>} */
const unanswered = new Set();
/** Requests made before the first attempt to connect has ended. @type {{id: string}[]} */
const early = [];

const connection = connect(`/ws/match/${page.dataset.match}/`, {
  onMessage: receive,
  onConnection(isConnected, noRetry) {
    connected = isConnected;
    isFinal = noRetry;
    tried = true;
    early.splice(0).forEach(deliver);
    showConnection();
    show();
  },
  heartbeat: () => (follower.snapshot ? { type: "ping", version: follower.version } : null),
});

// Retry the pending move until it is answered. The server counts it once.
setInterval(sendPending, RETRY_EVERY);

function sendPending() {
  const message = follower.pendingMessage();
  if (message) connection.send(message);
}

/** @param {any} message */
function receive(message) {
  if (message.type === "error") {
    connectionError = said(null, message);
    return;
  }
  if (message.type === "me") {
    showWaiting(message.your_turn);
    if (message.your_turn > waiting && document.hidden) noticeOthers(message.your_turn);
    waiting = message.your_turn;
    return;
  }
  const before = follower.snapshot;
  const { entries, gap } = follower.receive(message);
  // A ping with an old version is answered with a snapshot; one with a newer version makes the server catch up.
  if (gap) connection.send({ type: "ping", version: follower.version });
  if (message.type === "snapshot") sendPending();
  if (message.type === "presence") presenceView.update();
  const snapshot = follower.snapshot;
  if (!snapshot || message.type === "pong") return;
  if (message.type === "hint") {
    showHint(snapshot, message);
    return;
  }
  if (message.type === "reaction") {
    showReaction(snapshot, message);
    return;
  }
  if (before?.status === "open" && snapshot.status === "live") {
    if (snapshot.you.length) begin(snapshot);
    else wonder();
  } else if (wondering && message.type === "snapshot") {
    wondering = false;
    if (snapshot.you.length) begin(snapshot);
    else showNews(WORDS.seatTaken);
  }
  if (message.type === "rematch") announceRematch(before, snapshot);
  if (before && !before.rematch.next && snapshot.rematch.next && snapshot.you.length) {
    location.assign(`/m/${snapshot.rematch.next}/`);
    return;
  }
  show();
  if (entries.length) announce(snapshot, entries);
  if (message.type === "rejected" && (follower.rejection === message || unanswered.delete(message.id))) {
    showBubble(null, said(snapshot, message));
  }
}

/** @param {number} count how many other matches wait */
async function noticeOthers(count) {
  (await import("../parts/other-matches.js")).noticeCount(count);
}

/** @param {Snapshot} snapshot */
function begin(snapshot) {
  showNews(WORDS.matchBegins);
  const heading = snapshot.you.includes(snapshot.turn) ? WORDS.yourTurn : find("h1").textContent;
  alertTurn(WORDS.matchBegins, String(heading));
  playSounds(snapshot, [], true);
}

/**
 * Somebody joined while the reader was looking at the invitation. If it was the reader, in another tab, this socket
 * doesn't know them yet, but the next one will.
 */
function wonder() {
  wondering = true;
  connection.reconnect();
}

/**
 * @param {Snapshot | null} before
 * @param {Snapshot} snapshot
 */
function announceRematch(before, snapshot) {
  const text = offerText(snapshot);
  if (!text || (before && offerText(before) === text)) return;
  showNews(text);
  alertTurn(text, WORDS.rematch);
}

/**
 * @param {Snapshot} snapshot
 * @param {Entry[]} entries
 */
function announce(snapshot, entries) {
  if (follower.isLive) {
    hideBubble();
    board?.animate(entries.flatMap((entry) => entry.events));
  }
  readOut(game, snapshot, entries, follower.mayMove ? choices(game, snapshot) : "");
  const myTurn = isMyTurn(snapshot);
  if (myTurn) alertTurn(tell(game, snapshot, entries[0]));
  if (snapshot.outcome && !hasLost(snapshot)) celebrateWin(snapshot.outcome.winner);
  playSounds(snapshot, entries, myTurn);
}

function show() {
  const snapshot = follower.snapshot;
  if (!snapshot) return;
  board ??= game.createBoard(find("#board"), snapshot.first_state, pick);
  const plays = snapshot.you.length > 0;
  const isOpen = snapshot.status === "open";
  const isWithdrawn = snapshot.status === "cancelled" || snapshot.status === "expired";
  page.classList.add("drawn");
  page.dataset.status = snapshot.status;
  page.classList.toggle("playing", plays);
  find("#waiting").hidden = !isOpen;
  find("#stage").hidden = isOpen || isWithdrawn;
  find("#ended").hidden = !isWithdrawn;
  if (isWithdrawn) setText(find("#ended-how"), standing(snapshot));
  const inviter = snapshot.players[1] ?? snapshot.players[2];
  if (isOpen && inviter) for (const name of page.querySelectorAll(".inviter")) setText(name, called(inviter));
  find("#watching").hidden = plays || isOpen;
  board.draw(boardView(follower, snapshot));
  showStatus(game, snapshot, follower.pending !== null && !connected);
  showInTitle(isMyTurn(snapshot) ? WORDS.yourTurn : offerText(snapshot));
  presenceView.show(snapshot);
  presenceView.showClaim();
  moveList.show(snapshot);
  showActions(snapshot, follower.mayMove);
  showTellMe(snapshot);
  showConnection();
}

function showConnection() {
  setText(find("#connection"), isFinal ? connectionError : connected || !tried ? "" : WORDS.noConnection);
  page.classList.toggle("offline", tried && !connected);
}

/**
 * Play the number that was clicked, or say why that is not possible.
 * @param {Move} move
 * @param {HTMLElement} tile
 */
function pick(move, tile) {
  const snapshot = follower.snapshot;
  if (!snapshot) return;
  const message = follower.choose(move);
  if (message) {
    hideBubble();
    connection.send(message);
    show();
    return;
  }
  shake(tile);
  const whyNone = whyNoMove(snapshot);
  if (whyNone) showBubble(tile, whyNone);
  else showBubble(tile, whyNot(snapshot, snapshot, move), board?.explain(move));
}

/**
 * Why no move at all can be played now.
 * @param {Snapshot} snapshot
 */
function whyNoMove(snapshot) {
  if (snapshot.outcome) return WORDS.isOver;
  if (!follower.isLive) return WORDS.lookingBack;
  if (follower.pending) return WORDS.onItsWay;
  if (!snapshot.you.length) return WORDS.watching;
  return snapshot.you.includes(snapshot.turn) ? "" : notYourTurn(snapshot);
}

/**
 * Send a request other than a move. The board is there before the connection is, so the first requests wait for it.
 * @param {string} type
 * @param {object} [fields]
 */
function request(type, fields = {}) {
  const message = { type, id: follower.newId(), ...fields };
  if (tried) deliver(message);
  else early.push(message);
}

/**
 * Send a request. It is not retried, so the player is told if it can't be sent.
 * @param {{id: string}} message
 */
function deliver(message) {
  if (connection.send(message)) unanswered.add(message.id);
  else showNews(WORDS.needsConnection);
}

wireActions(follower, request);
wireBubble();
wireReactions((reaction) => request("react", { reaction }));
wireSharing();
wireTellMe();
onShortcut((event) => {
  // A digit focuses the tile on which it is written.
  if (!/^[0-9]$/.test(event.key)) return;
  const tiles = /** @type {NodeListOf<HTMLElement>} */ (find("#board").querySelectorAll(".tile:not(.gone)"));
  [...tiles].find((tile) => tile.textContent === event.key)?.focus();
});

// The page comes with a snapshot, so the board is there before the socket is.
const embedded = document.getElementById("snapshot");
if (embedded?.textContent) receive(JSON.parse(embedded.textContent));
