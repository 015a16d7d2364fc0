// A match's page: the board, whose turn it is, who is there, and what can be done.

import { alertTurn, showTurnInTitle } from "../parts/turn-alert.js";
import { blink, shake } from "../parts/animate.js";
import { loadBoard } from "../parts/boards.js";
import { connect } from "../net/connect.js";
import { Follower } from "../net/follow.js";
import { element, find, setText } from "../parts/dom.js";
import { showReaction, wireReactions } from "../parts/reactions.js";
import { hideBubble, showBubble } from "../parts/bubble.js";
import { WORDS, audience, called, choices, claimText, moveLabel, moveText, notYourTurn, playedAlready, standing, tell, withNames } from "../words/say.js";
import { isOn } from "../parts/settings.js";
import { wireSharing } from "../parts/share.js";
import { isMyTurn, showPlayers, showStatus, statusParts, boardView } from "../parts/match-view.js";
import { solverWords, translated } from "../words/translate.js";

/** @import { Board, Entry, Hint, Move, Seat, Snapshot } from "../types.d.ts" */

const RESEND_EVERY = 2500;
const NEWS_FOR = 4000;

const page = find("#match");
const createBoard = await loadBoard(String(page.dataset.game));
const follower = new Follower(() => Date.now().toString(36) + Math.random().toString(36).slice(2, 8));
/** @type {Board | null} */
let board = null;
let connected = false;
let everConnected = false;
let over = false;
/** Why the server closed the connection for good. */
let closedBecause = "";
/** What was asked besides moves, and not been answered. @type {Set<string>} */
const unanswered = new Set();
let claimAt = 0;

const connection = connect(`/ws/match/${page.dataset.match}/`, {
  onMessage: receive,
  onConnection(now, isOver) {
    connected = now;
    everConnected ||= now;
    over = isOver;
    showConnection();
    show();
  },
  heartbeat: () => (follower.snapshot ? { type: "ping", version: follower.version } : null),
});

// A move on its way is sent again until it is answered; the server counts it once.
setInterval(() => {
  const waiting = follower.pendingMessage();
  if (waiting) connection.send(waiting);
}, RESEND_EVERY);
setInterval(showClaim, 500);

/** @param {any} message */
function receive(message) {
  if (message.type === "error") {
    closedBecause = translated(message.text);
    return;
  }
  const nextBefore = follower.snapshot?.rematch.next;
  const wasOpen = follower.snapshot?.status === "open";
  const hadSnapshot = follower.snapshot !== null;
  const { entries, gap } = follower.receive(message);
  if (gap) connection.send({ type: "ping", version: follower.version });
  if (message.type === "snapshot") {
    const waiting = follower.pendingMessage();
    if (waiting) connection.send(waiting);
  }
  if (message.type === "presence") claimAt = message.claim ? Date.now() + message.claim.in * 1000 : 0;
  if (message.type === "pong" || !follower.snapshot) return;
  if (message.type === "hint") {
    showHint(follower.snapshot, message);
    return;
  }
  if (message.type === "reaction") {
    showReaction(follower.snapshot, message);
    return;
  }
  const snapshot = follower.snapshot;
  if (wasOpen && snapshot.status === "live" && snapshot.you.length) {
    announce(WORDS.matchBegins);
    if (snapshot.you.includes(snapshot.turn)) alertTurn(WORDS.matchBegins);
  }
  if (hadSnapshot && nextBefore === null && snapshot.rematch.next && snapshot.you.length) {
    location.assign(`/m/${snapshot.rematch.next}/`);
    return;
  }
  show();
  if (entries.length) announceMoves(snapshot, entries);
  if (message.type === "rejected" && (follower.rejection === message || unanswered.delete(message.id))) {
    showBubble(null, withNames(snapshot, message.text));
  }
}

/**
 * Let everyone know what has just happened, each in their own way.
 * @param {Snapshot} snapshot
 * @param {Entry[]} entries
 */
function announceMoves(snapshot, entries) {
  if (follower.isLive) {
    hideBubble();
    board?.animate(entries.flatMap((entry) => entry.events));
  }
  const sentences = entries.map((entry) => tell(snapshot, entry));
  sentences.push(statusParts(snapshot).join(": ") + ".");
  if (follower.mayMove) sentences.push(choices(snapshot));
  setText(find("#heard"), sentences.join(" "));
  const mine = isMyTurn(snapshot);
  if (mine) alertTurn(sentences[0]);
  if (snapshot.outcome && snapshot.outcome.winner !== otherThan(snapshot.you)) celebrateWin(snapshot.outcome.winner);
  if (isOn("sound")) sound(snapshot, entries, mine);
}

/**
 * Who loses if this player wins; nobody for spectators and for two on one device.
 * @param {Seat[]} you
 */
function otherThan(you) {
  return you.length === 1 ? 3 - you[0] : 0;
}

/** @param {Seat} winner */
async function celebrateWin(winner) {
  (await import("../parts/celebrate.js")).celebrate(winner);
}

/**
 * @param {Snapshot} snapshot
 * @param {Entry[]} entries
 * @param {boolean} mine
 */
async function sound(snapshot, entries, mine) {
  const { playEnd, playMove, playTurn } = await import("../parts/sound.js");
  for (const entry of entries) if (typeof entry.move === "number") playMove(Number(moveText(entry)));
  if (snapshot.outcome) playEnd(snapshot.outcome.winner !== otherThan(snapshot.you));
  else if (mine) playTurn();
}

/** Draw everything that the follower knows. */
function show() {
  const snapshot = follower.snapshot;
  if (!snapshot) return;
  board ??= createBoard(find("#board"), snapshot.first_state, pick);
  page.classList.add("drawn");
  page.dataset.status = snapshot.status;
  page.classList.toggle("playing", snapshot.you.length > 0);
  find("#waiting").hidden = snapshot.status !== "open";
  const hasEnded = snapshot.status === "cancelled" || snapshot.status === "expired";
  find("#stage").hidden = snapshot.status === "open" || hasEnded;
  find("#ended").hidden = !hasEnded;
  if (hasEnded) setText(find("#ended-how"), standing(snapshot));
  board.draw(boardView(follower, snapshot));
  showStatus(snapshot, follower.pending !== null && !connected);
  find("#watching").hidden = snapshot.you.length > 0 || snapshot.status === "open";
  showTurnInTitle(isMyTurn(snapshot));
  showPresence(snapshot);
  showMoves(snapshot);
  showActions(snapshot);
  showConnection();
}

/**
 * A number was touched.
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
  const why = whyNoMove(snapshot);
  // It is the rules that forbid it: the board can show how.
  const drawing = why ? null : (board?.explain(move) ?? null);
  showBubble(tile, why || withNames(snapshot, snapshot.why[String(move)] ?? "") || playedAlready(move), drawing);
}

/**
 * Why nothing at all can be played now.
 * @param {Snapshot} snapshot
 */
function whyNoMove(snapshot) {
  if (snapshot.outcome) return WORDS.isOver;
  if (!follower.isLive) return WORDS.lookingBack;
  if (follower.pending) return WORDS.onItsWay;
  if (!snapshot.you.length) return WORDS.watching;
  return snapshot.you.includes(snapshot.turn) ? "" : notYourTurn(snapshot);
}

/** @param {Snapshot} snapshot */
function showPresence(snapshot) {
  // Away for so long that the win can be claimed.
  showPlayers(snapshot, follower.presence, claimAt > 0 && Date.now() >= claimAt);
  const computer = snapshot.players[1]?.about ? snapshot.players[1] : snapshot.players[2];
  setText(find("#about"), computer?.about ? `${called(computer)}: ${translated(computer.about)}` : "");
  const spectators = follower.presence?.spectators ?? 0;
  const others = snapshot.you.length ? spectators : spectators - 1;
  setText(find("#spectators"), audience(others, !snapshot.you.length));
}

/** @param {Snapshot} snapshot */
function showMoves(snapshot) {
  const list = find("#moves");
  while (list.children.length > snapshot.history.length) list.lastElementChild?.remove();
  for (const entry of snapshot.history.slice(list.children.length)) list.append(moveItem(entry));
  for (const [index, item] of [...list.children].entries()) {
    const current = index + 1 === follower.shownVersion;
    if (current) item.firstElementChild?.setAttribute("aria-current", "step");
    else item.firstElementChild?.removeAttribute("aria-current");
    if (current) keepInSight(list, /** @type {HTMLElement} */ (item));
  }
  for (const [selector, enabled] of /** @type {[string, boolean][]} */ ([
    ["#first", follower.shownVersion > 0],
    ["#previous", follower.shownVersion > 0],
    ["#next", !follower.isLive],
    ["#live", !follower.isLive],
  ])) {
    find(selector).toggleAttribute("disabled", !enabled);
  }
  page.classList.toggle("looking-back", !follower.isLive);
}

/**
 * Scroll the list alone: scrollIntoView would move the page.
 * @param {HTMLElement} list
 * @param {HTMLElement} item
 */
function keepInSight(list, item) {
  list.scrollLeft = item.offsetLeft - list.offsetLeft - list.clientWidth / 2;
}

/** @param {Entry} entry */
function moveItem(entry) {
  const item = element("li");
  const button = element("button", `seat-${entry.seat}`, moveText(entry));
  button.setAttribute("type", "button");
  button.setAttribute("aria-label", moveLabel(entry));
  button.addEventListener("click", () => look(entry.version));
  item.append(button);
  return item;
}

/** @param {number} version */
function look(version) {
  follower.lookAt(version);
  hideBubble();
  show();
}

/** @param {Snapshot} snapshot */
function showActions(snapshot) {
  const plays = snapshot.you.length > 0;
  const offered = snapshot.rematch.offered_by;
  const byMe = offered !== null && snapshot.you.includes(offered);
  const open = plays && snapshot.status === "finished" && !snapshot.rematch.next && !byMe;
  find("#resign").toggleAttribute("disabled", !(plays && snapshot.status === "live"));
  const rematch = find("#rematch");
  rematch.toggleAttribute("disabled", !open);
  setText(rematch, byMe ? WORDS.offered : offered ? WORDS.accept : WORDS.rematch);
  rematch.classList.toggle("inviting", open);
  find("#actions").hidden = !plays;
  const hint = find("#hint");
  hint.hidden = !(snapshot.same_device || snapshot.players[1]?.level || snapshot.players[2]?.level);
  // Who can have a hint has nobody to claim a win from.
  find("#claim").hidden = !hint.hidden;
  hint.toggleAttribute("disabled", !follower.mayMove);
  find("#review").hidden = snapshot.status !== "finished";
  const next = /** @type {HTMLAnchorElement} */ (find("#follow"));
  next.hidden = !snapshot.rematch.next;
  if (snapshot.rematch.next) next.href = `/m/${snapshot.rematch.next}/`;
  showClaim();
}

/**
 * A good move, pointed at, and why.
 * @param {Snapshot} snapshot
 * @param {Hint} hint
 */
async function showHint(snapshot, hint) {
  await solverWords();
  if (hint.version !== snapshot.version) return;
  const tile = /** @type {HTMLElement | null} */ (find("#board").querySelector(`[data-move="${hint.move}"]`));
  blink(tile);
  showBubble(tile, withNames(snapshot, hint.text));
}

function showClaim() {
  const snapshot = follower.snapshot;
  const presence = follower.presence;
  const button = find("#claim");
  if (!snapshot || !presence?.claim || snapshot.status !== "live") {
    button.toggleAttribute("disabled", true);
    setText(find("#countdown"), "");
    return;
  }
  const seconds = Math.max(0, Math.ceil((claimAt - Date.now()) / 1000));
  if (seconds === 0) showPresence(snapshot);
  setText(find("#countdown"), claimText(snapshot, presence, seconds));
  button.toggleAttribute("disabled", !(snapshot.you.includes(presence.claim.seat) && seconds === 0));
}

function showConnection() {
  setText(find("#connection"), over ? closedBecause : connected || !everConnected ? "" : WORDS.noConnection);
  page.classList.toggle("offline", everConnected && !connected);
}

/** @type {number | undefined} */
let newsTimer;

/**
 * Say something that matters for a moment.
 * @param {string} text
 */
function announce(text) {
  setText(find("#news"), text);
  clearTimeout(newsTimer);
  newsTimer = setTimeout(() => setText(find("#news"), ""), NEWS_FOR);
}

/**
 * @param {string} type
 * @param {object} [more]
 */
function ask(type, more = {}) {
  const id = follower.newId();
  if (connection.send({ type, id, ...more })) unanswered.add(id);
  else announce(WORDS.needsConnection);
}

const confirmResign = /** @type {HTMLDialogElement} */ (find("#confirm-resign"));
find("#resign").addEventListener("click", () => {
  // It would still have the answer of the last time, also for somebody who presses Escape.
  confirmResign.returnValue = "";
  confirmResign.showModal();
});
confirmResign.addEventListener("close", () => {
  if (confirmResign.returnValue === "resign") ask("resign");
});
find("#claim").addEventListener("click", () => ask("claim"));
find("#hint").addEventListener("click", () => ask("hint", { version: follower.version }));
find("#rematch").addEventListener("click", () => ask("rematch"));
find("#first").addEventListener("click", () => look(0));
find("#previous").addEventListener("click", () => look(follower.shownVersion - 1));
find("#next").addEventListener("click", () => look(follower.shownVersion + 1));
find("#live").addEventListener("click", () => look(follower.version));
addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.matches?.("input, textarea, dialog *") || event.altKey || event.ctrlKey || event.metaKey) return;
  const versions = {
    ArrowLeft: follower.shownVersion - 1,
    ArrowRight: follower.shownVersion + 1,
    Home: 0,
    End: follower.version,
  };
  if (/^[0-9]$/.test(event.key)) focusOn(event.key);
  if (!(event.key in versions)) return;
  event.preventDefault();
  look(versions[/** @type {keyof versions} */ (event.key)]);
});
/**
 * Bring the keyboard to a number; in a grid, to where it lies.
 * @param {string} digit
 */
function focusOn(digit) {
  const tiles = /** @type {NodeListOf<HTMLElement>} */ (find("#board").querySelectorAll(".tile:not(.gone)"));
  [...tiles].find((tile) => tile.textContent === digit)?.focus();
}

document.addEventListener("click", (event) => {
  if (!(/** @type {Element} */ (event.target).closest(".tile"))) hideBubble();
});
wireReactions((reaction) => ask("react", { reaction }));
wireSharing();

const embedded = document.getElementById("snapshot");
if (embedded?.textContent) receive(JSON.parse(embedded.textContent));
