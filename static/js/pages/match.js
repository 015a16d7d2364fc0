// A match's page: the board, whose turn it is, who is there, and what can be done.

import { callToTurn, showTurn } from "../parts/turn-alert.js";
import { nod, shake } from "../parts/animate.js";
import { loadBoard } from "../parts/boards.js";
import { connect } from "../net/connect.js";
import { Follower } from "../net/follow.js";
import { element, find, setText } from "../parts/dom.js";
import { showReaction, wireReactions } from "../parts/reactions.js";
import { hideReason, showReason } from "../parts/bubble.js";
import { WORDS, audience, called, choices, claimText, moveLabel, moveText, notYourTurn, playedAlready, standing, tell, withNames } from "../words/say.js";
import { isOn } from "../parts/settings.js";
import { wireSharing } from "../parts/share.js";
import { isMine, showPlayers, showStatus, statusParts, viewOf } from "../parts/stage.js";
import { solverWords, translated } from "../words/translate.js";

/** @import { Board, Entry, Hint, Move, Seat, Snapshot } from "../types.d.ts" */

const RESEND_EVERY = 2500;
const NEWS_FOR = 4000;

const page = find("#match");
const game = await loadBoard(String(page.dataset.game));
const follower = new Follower(() => Date.now().toString(36) + Math.random().toString(36).slice(2, 8));
/** @type {Board | null} */
let board = null;
let connected = false;
let everConnected = false;
let over = false;
/** Why the server closed the connection for good. */
let parting = "";
/** What was asked besides moves, and not been answered. @type {Set<string>} */
const asked = new Set();
let claimAt = 0;

const connection = connect(`/ws/match/${page.dataset.match}/`, {
  message: take,
  connection(now, isOver) {
    connected = now;
    everConnected ||= now;
    over = isOver;
    showConnection();
    show();
  },
  heartbeat: () => (follower.board ? { type: "ping", version: follower.version } : null),
});

// A move on its way is sent again until it is answered; the server counts it once.
setInterval(() => {
  const waiting = follower.resend();
  if (waiting) connection.send(waiting);
}, RESEND_EVERY);
setInterval(showClaim, 500);

/** @param {any} message */
function take(message) {
  if (message.type === "error") {
    parting = translated(message.text);
    return;
  }
  const nextBefore = follower.board?.rematch.next;
  const wasOpen = follower.board?.status === "open";
  const hadBoard = follower.board !== null;
  const { entries, gap } = follower.take(message);
  if (gap) connection.send({ type: "ping", version: follower.version });
  if (message.type === "snapshot") {
    const waiting = follower.resend();
    if (waiting) connection.send(waiting);
  }
  if (message.type === "presence") claimAt = message.claim ? Date.now() + message.claim.in * 1000 : 0;
  if (message.type === "pong" || !follower.board) return;
  if (message.type === "hint") {
    showHint(follower.board, message);
    return;
  }
  if (message.type === "reaction") {
    showReaction(follower.board, message);
    return;
  }
  const shown = follower.board;
  if (wasOpen && shown.status === "live" && shown.you.length) {
    announce(WORDS.matchBegins);
    if (shown.you.includes(shown.turn)) callToTurn(WORDS.matchBegins);
  }
  if (hadBoard && nextBefore === null && shown.rematch.next && shown.you.length) {
    location.assign(`/m/${shown.rematch.next}/`);
    return;
  }
  show();
  if (entries.length) tellOf(shown, entries);
  if (message.type === "rejected" && (follower.refusal === message || asked.delete(message.id))) {
    showReason(null, withNames(shown, message.text));
  }
}

/**
 * Let everyone know what has just happened, each in their own way.
 * @param {Snapshot} shown
 * @param {Entry[]} entries
 */
function tellOf(shown, entries) {
  if (follower.isLive) {
    hideReason();
    board?.animate(entries.flatMap((entry) => entry.events));
  }
  const sentences = entries.map((entry) => tell(game, shown, entry));
  sentences.push(statusParts(shown).join(": ") + ".");
  if (follower.mayMove) sentences.push(choices(shown));
  setText(find("#heard"), sentences.join(" "));
  const mine = isMine(shown);
  if (mine) callToTurn(sentences[0]);
  if (shown.outcome && shown.outcome.winner !== otherThan(shown.you)) party(shown.outcome.winner);
  if (isOn("sound")) sound(shown, entries, mine);
}

/**
 * Who loses if this player wins; nobody for spectators and for two on one device.
 * @param {Seat[]} you
 */
function otherThan(you) {
  return you.length === 1 ? 3 - you[0] : 0;
}

/** @param {Seat} winner */
async function party(winner) {
  (await import("../parts/celebrate.js")).celebrate(winner);
}

/**
 * @param {Snapshot} shown
 * @param {Entry[]} entries
 * @param {boolean} mine
 */
async function sound(shown, entries, mine) {
  const { playEnd, playMove, playTurn } = await import("../parts/sound.js");
  for (const entry of entries) if (typeof entry.move === "number") playMove(Number(moveText(entry)));
  if (shown.outcome) playEnd(shown.outcome.winner !== otherThan(shown.you));
  else if (mine) playTurn();
}

/** Draw everything that the follower knows. */
function show() {
  const shown = follower.board;
  if (!shown) return;
  board ??= game.createBoard(find("#board"), shown.first_state, pick);
  page.classList.add("drawn");
  page.dataset.status = shown.status;
  page.classList.toggle("playing", shown.you.length > 0);
  find("#waiting").hidden = shown.status !== "open";
  const hasEnded = shown.status === "cancelled" || shown.status === "expired";
  find("#stage").hidden = shown.status === "open" || hasEnded;
  find("#ended").hidden = !hasEnded;
  if (hasEnded) setText(find("#ended-how"), standing(shown));
  board.draw(viewOf(follower, shown));
  showStatus(game, shown, follower.pending !== null && !connected);
  find("#watching").hidden = shown.you.length > 0 || shown.status === "open";
  showTurn(isMine(shown));
  showWhoIsThere(shown);
  showMoves(shown);
  showActions(shown);
  showConnection();
}

/**
 * A number was touched.
 * @param {Move} move
 * @param {HTMLElement} tile
 */
function pick(move, tile) {
  const shown = follower.board;
  if (!shown) return;
  const message = follower.choose(move);
  if (message) {
    hideReason();
    connection.send(message);
    show();
    return;
  }
  shake(tile);
  const why = followerRefuses(shown);
  // It is the rules that forbid it: the board can show how.
  const drawing = why ? null : (board?.explain(move) ?? null);
  showReason(tile, why || withNames(shown, shown.why[String(move)] ?? "") || playedAlready(move), drawing);
}

/**
 * Why nothing at all can be played now.
 * @param {Snapshot} shown
 */
function followerRefuses(shown) {
  if (shown.outcome) return WORDS.isOver;
  if (!follower.isLive) return WORDS.lookingBack;
  if (follower.pending) return WORDS.onItsWay;
  if (!shown.you.length) return WORDS.watching;
  return shown.you.includes(shown.turn) ? "" : notYourTurn(shown);
}

/** @param {Snapshot} shown */
function showWhoIsThere(shown) {
  // Away for so long that the win can be claimed.
  showPlayers(shown, follower.presence, claimAt > 0 && Date.now() >= claimAt);
  const computer = shown.players[1]?.about ? shown.players[1] : shown.players[2];
  setText(find("#about"), computer?.about ? `${called(computer)}: ${translated(computer.about)}` : "");
  const spectators = follower.presence?.spectators ?? 0;
  const others = shown.you.length ? spectators : spectators - 1;
  setText(find("#spectators"), audience(others, !shown.you.length));
}

/** @param {Snapshot} shown */
function showMoves(shown) {
  const list = find("#moves");
  while (list.children.length > shown.history.length) list.lastElementChild?.remove();
  for (const entry of shown.history.slice(list.children.length)) list.append(moveItem(entry));
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
  hideReason();
  show();
}

/** @param {Snapshot} shown */
function showActions(shown) {
  const plays = shown.you.length > 0;
  const offered = shown.rematch.offered_by;
  const byMe = offered !== null && shown.you.includes(offered);
  const open = plays && shown.status === "finished" && !shown.rematch.next && !byMe;
  find("#resign").toggleAttribute("disabled", !(plays && shown.status === "live"));
  const rematch = find("#rematch");
  rematch.toggleAttribute("disabled", !open);
  setText(rematch, byMe ? WORDS.offered : offered ? WORDS.accept : WORDS.rematch);
  rematch.classList.toggle("inviting", open);
  find("#actions").hidden = !plays;
  const hint = find("#hint");
  hint.hidden = !(shown.same_device || shown.players[1]?.level || shown.players[2]?.level);
  // Who can have a hint has nobody to claim a win from.
  find("#claim").hidden = !hint.hidden;
  hint.toggleAttribute("disabled", !follower.mayMove);
  find("#review").hidden = shown.status !== "finished";
  const next = /** @type {HTMLAnchorElement} */ (find("#follow"));
  next.hidden = !shown.rematch.next;
  if (shown.rematch.next) next.href = `/m/${shown.rematch.next}/`;
  showClaim();
}

/**
 * A good move, pointed at, and why.
 * @param {Snapshot} shown
 * @param {Hint} hint
 */
async function showHint(shown, hint) {
  await solverWords();
  if (hint.version !== shown.version) return;
  const tile = /** @type {HTMLElement | null} */ (find("#board").querySelector(`[data-move="${hint.move}"]`));
  nod(tile);
  showReason(tile, withNames(shown, hint.text));
}

function showClaim() {
  const shown = follower.board;
  const presence = follower.presence;
  const button = find("#claim");
  if (!shown || !presence?.claim || shown.status !== "live") {
    button.toggleAttribute("disabled", true);
    setText(find("#countdown"), "");
    return;
  }
  const seconds = Math.max(0, Math.ceil((claimAt - Date.now()) / 1000));
  if (seconds === 0) showWhoIsThere(shown);
  setText(find("#countdown"), claimText(shown, presence, seconds));
  button.toggleAttribute("disabled", !(shown.you.includes(presence.claim.seat) && seconds === 0));
}

function showConnection() {
  setText(find("#connection"), over ? parting : connected || !everConnected ? "" : WORDS.noConnection);
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
  if (connection.send({ type, id, ...more })) asked.add(id);
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
  if (!(/** @type {Element} */ (event.target).closest(".tile"))) hideReason();
});
wireReactions((reaction) => ask("react", { reaction }));
wireSharing();

const snapshot = document.getElementById("snapshot");
if (snapshot?.textContent) take(JSON.parse(snapshot.textContent));
