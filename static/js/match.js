// A match's page: the board, whose turn it is, who is there, and what can be done.

import { BOARDS } from "./boards.js";
import { connect } from "./connect.js";
import { Follower } from "./follow.js";
import { element, find, moveText, nameOf, withNames } from "./say.js";
import { wireSharing } from "./share.js";

/** @import { Board, Entry, Move, Seat, Snapshot, View } from "./types.d.ts" */

const RESEND_EVERY = 2500;
const REASON_FOR = 5000;
const NEWS_FOR = 4000;

const page = find("#match");
const follower = new Follower(() => Date.now().toString(36) + Math.random().toString(36).slice(2, 8));
const boardRoot = find("#board");
const reason = find("#reason");
const baseTitle = document.title;
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
    parting = message.text;
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
  const shown = follower.board;
  if (wasOpen && shown.status === "live" && shown.you.length) announce("Your friend is here. The match begins.");
  if (hadBoard && nextBefore === null && shown.rematch.next && shown.you.length) {
    location.assign(`/m/${shown.rematch.next}/`);
    return;
  }
  show();
  if (follower.isLive && entries.length) board?.animate(entries.flatMap((entry) => entry.events));
  if (message.type === "rejected" && (follower.refusal === message || asked.delete(message.id))) {
    showReason(null, withNames(shown, message.text));
  }
}

/** Draw everything that the follower knows. */
function show() {
  const shown = follower.board;
  if (!shown) return;
  board ??= BOARDS[shown.game](boardRoot, shown.first_state, pick);
  page.dataset.status = shown.status;
  page.classList.toggle("playing", shown.you.length > 0);
  find("#waiting").hidden = shown.status !== "open";
  const hasEnded = shown.status === "cancelled" || shown.status === "expired";
  find("#stage").hidden = shown.status === "open" || hasEnded;
  find("#ended").hidden = !hasEnded;
  if (hasEnded) setText(find("#ended-how"), statusText(shown));
  board.draw(view(shown));
  showStatus(shown);
  showPlayers(shown);
  showMoves(shown);
  showActions(shown);
  showConnection();
}

/**
 * @param {Snapshot} shown
 * @returns {View}
 */
function view(shown) {
  const running = follower.isLive && shown.status === "live";
  return {
    state: follower.shownState,
    legal: new Set(running ? shown.legal : []),
    why: shown.why,
    turn: running ? shown.turn : null,
    mine: follower.mayMove,
    pending: follower.pending?.move ?? null,
    last: follower.shownEntry?.events ?? [],
  };
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
  showReason(tile, whyNot(shown, move));
}

/**
 * @param {Snapshot} shown
 * @param {Move} move
 */
function whyNot(shown, move) {
  if (shown.outcome) return "This match is over.";
  if (!follower.isLive) return "You are looking back. Return to now to play.";
  if (follower.pending) return "Your move is on its way.";
  if (!shown.you.length) return "You are watching this match.";
  if (!shown.you.includes(shown.turn)) return `It is ${possessive(shown, shown.turn)} turn.`;
  return withNames(shown, shown.why[String(move)] ?? "That is gone.");
}

/**
 * @param {Snapshot} shown
 * @param {Seat} seat
 */
function possessive(shown, seat) {
  const name = nameOf(shown, seat);
  return name === "You" ? "your" : `${name}'s`;
}

/** @type {number | undefined} */
let reasonTimer;

/**
 * Say why, beside the number it is about.
 * @param {HTMLElement | null} tile
 * @param {string} text
 */
function showReason(tile, text) {
  reason.textContent = text;
  reason.hidden = false;
  const stage = find("#stage").getBoundingClientRect();
  const at = tile?.getBoundingClientRect() ?? boardRoot.getBoundingClientRect();
  const size = reason.getBoundingClientRect();
  const left = Math.max(4, Math.min(at.left + at.width / 2 - size.width / 2, innerWidth - size.width - 4));
  const above = at.top - stage.top - size.height - 8;
  reason.style.left = `${left - stage.left}px`;
  reason.style.top = `${tile ? Math.max(above, 0) : 8}px`;
  clearTimeout(reasonTimer);
  reasonTimer = setTimeout(hideReason, REASON_FOR);
}

function hideReason() {
  reason.hidden = true;
}

/** @param {Snapshot} shown */
function showStatus(shown) {
  const status = find("#status");
  const mine = shown.status === "live" && shown.you.includes(shown.turn) && !shown.same_device;
  status.className = shown.status === "live" ? `seat-${shown.turn}` : shown.outcome ? `seat-${shown.outcome.winner}` : "";
  status.classList.toggle("mine", mine);
  setText(status, statusText(shown));
  find("#watching").hidden = shown.you.length > 0 || shown.status === "open";
  document.title = mine ? `Your turn – ${baseTitle}` : baseTitle;
}

/** @param {Snapshot} shown */
function statusText(shown) {
  if (shown.outcome) {
    const winner = nameOf(shown, shown.outcome.winner);
    const text = withNames(shown, shown.outcome.text);
    return `${winner} ${winner === "You" ? "win" : "wins"}: ${text}`;
  }
  if (shown.status === "open") return shown.you.length ? "Waiting for your friend" : "";
  if (shown.status === "cancelled") return "This invitation was cancelled.";
  if (shown.status === "expired") return "This invitation has expired.";
  if (shown.status === "unfinished") return "This match was closed, because nobody had moved for a long time.";
  if (follower.pending && !connected) return "Your move is kept, and sent when the connection is back.";
  const passed = shown.history.at(-1)?.move === "pass" ? `${nameOf(shown, shown.history[shown.history.length - 1].seat)} had to pass. ` : "";
  return `${passed}${possessive(shown, shown.turn)} turn`.replace(/^your/, "Your").replace(/ your turn$/, " Your turn");
}

/** @param {Snapshot} shown */
function showPlayers(shown) {
  for (const seat of /** @type {Seat[]} */ ([1, 2])) {
    const row = find(`#player-${seat}`);
    const player = shown.players[seat];
    const own = shown.you.includes(seat) && !shown.same_device ? " (you)" : "";
    const name = shown.same_device ? `Player ${seat}` : (player?.name ?? "nobody yet");
    setText(row.querySelector(".name"), name + own);
    setText(row.querySelector(".wins"), String(shown.series.score[seat]));
    row.classList.toggle("to-move", shown.status === "live" && shown.turn === seat);
    const presence = shown.same_device || shown.you.includes(seat) ? null : follower.presence?.players[seat];
    row.dataset.presence = presence ?? "";
    // Away for so long that the win can be claimed.
    const gone = presence === "away" && shown.turn === seat && claimAt > 0 && Date.now() >= claimAt;
    setText(row.querySelector(".presence"), gone ? "gone" : (presence ?? ""));
  }
  const spectators = follower.presence?.spectators ?? 0;
  const others = shown.you.length ? spectators : spectators - 1;
  setText(find("#spectators"), others > 0 ? `${others} ${shown.you.length ? "watching" : "more watching"}` : "");
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
  button.setAttribute("aria-label", `Move ${entry.version}, Player ${entry.seat}: ${moveText(entry)}`);
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
  find("#resign").toggleAttribute("disabled", !(plays && shown.status === "live"));
  const rematch = find("#rematch");
  rematch.toggleAttribute("disabled", !(plays && shown.status === "finished" && !shown.rematch.next && !byMe));
  setText(rematch, byMe ? "Offered" : offered ? "Accept rematch" : "Rematch");
  rematch.classList.toggle("inviting", Boolean(offered) && !byMe && !shown.rematch.next);
  find("#actions").hidden = !plays;
  const next = /** @type {HTMLAnchorElement} */ (find("#follow"));
  next.hidden = !shown.rematch.next;
  if (shown.rematch.next) next.href = `/m/${shown.rematch.next}/`;
  showClaim();
}

function showClaim() {
  const shown = follower.board;
  const claim = follower.presence?.claim;
  const button = find("#claim");
  if (!shown || !claim || shown.status !== "live") {
    button.toggleAttribute("disabled", true);
    setText(find("#countdown"), "");
    return;
  }
  const seconds = Math.max(0, Math.ceil((claimAt - Date.now()) / 1000));
  if (seconds === 0) showPlayers(shown);
  const mine = shown.you.includes(claim.seat);
  const away = nameOf(shown, shown.turn);
  const isAway = follower.presence?.players[shown.turn] === "away";
  const minutes = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  setText(
    find("#countdown"),
    seconds === 0
      ? mine ? `${away} did not move in time. You can claim the win.` : ""
      : `${away} ${away === "You" ? "are" : "is"} ${isAway ? "away" : "slow"}. The win can be claimed in ${minutes}.`,
  );
  button.toggleAttribute("disabled", !(mine && seconds === 0));
}

function showConnection() {
  const line = find("#connection");
  setText(line, over ? parting : connected || !everConnected ? "" : "No connection. Trying again…");
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
 * Screen readers read a live region again whenever it is written to.
 * @param {Element | null} target
 * @param {string} text
 */
function setText(target, text) {
  if (target && target.textContent !== text) target.textContent = text;
}

/** @param {string} type */
function ask(type) {
  const id = follower.newId();
  if (connection.send({ type, id })) asked.add(id);
  else announce("That needs a connection. Try again when it is back.");
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
  if (!(event.key in versions)) return;
  event.preventDefault();
  look(versions[/** @type {keyof versions} */ (event.key)]);
});
document.addEventListener("click", (event) => {
  if (!(/** @type {Element} */ (event.target).closest(".tile"))) hideReason();
});
wireSharing();

const snapshot = document.getElementById("snapshot");
if (snapshot?.textContent) take(JSON.parse(snapshot.textContent));
