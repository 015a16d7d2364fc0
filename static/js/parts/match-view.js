// What players and spectators both see of a match: the players, whose turn it is, and the board.

import { element, find, setText } from "./dom.js";
import { PRESENCE, WORDS, called, nameOf, promptFor, resultOf, standing, tell, turnOf } from "../words/say.js";

/** @import { Follower } from "../net/follow.js" */
/** @import { BoardModule, Presence, Seat, Snapshot, View } from "../types.d.ts" */

/**
 * What the board draws now.
 * @param {Follower} follower
 * @param {Snapshot} snapshot
 * @returns {View}
 */
export function boardView(follower, snapshot) {
  const isRunning = follower.isLive && snapshot.status === "live";
  return {
    state: follower.shownState,
    legal: new Set(isRunning ? snapshot.legal : []),
    why: snapshot.why,
    turn: isRunning ? snapshot.turn : null,
    mine: follower.mayMove,
    pending: follower.pending?.move ?? null,
    last: follower.shownEntry?.events ?? [],
  };
}

/**
 * Whether it is the reader's turn. On one device it is nobody's in particular.
 * @param {Snapshot} snapshot
 */
export function isMyTurn(snapshot) {
  return snapshot.status === "live" && snapshot.you.includes(snapshot.turn) && !snapshot.same_device;
}

/**
 * How the match stands: a headline, and the reason if it has one.
 * @param {Snapshot} snapshot
 * @returns {string[]}
 */
export function statusParts(snapshot) {
  if (snapshot.outcome) return resultOf(snapshot);
  if (snapshot.status !== "live") return [standing(snapshot)];
  return [turnOf(snapshot, snapshot.turn)];
}

/**
 * @param {BoardModule} game
 * @param {Snapshot} snapshot
 * @param {boolean} [isMoveKept] whether a pending move waits for the connection
 */
export function showStatus(game, snapshot, isMoveKept = false) {
  const status = find("#status");
  const isLive = snapshot.status === "live";
  status.className = isLive ? `seat-${snapshot.turn}` : snapshot.outcome ? `seat-${snapshot.outcome.winner}` : "";
  status.classList.toggle("mine", isMyTurn(snapshot));
  const [headline, reason] = statusParts(snapshot);
  if (reason) {
    if (status.textContent !== `${headline}: ${reason}`) status.replaceChildren(element("b", "", headline), `: ${reason}`);
  } else {
    setText(status, isMoveKept ? WORDS.kept : headline);
  }
  setText(find("#prompt"), isLive ? promptOf(game, snapshot) : "");
}

/**
 * @param {BoardModule} game
 * @param {Snapshot} snapshot
 */
function promptOf(game, snapshot) {
  const last = snapshot.history.at(-1);
  const passed = last?.move === "pass" ? `${tell(game, snapshot, last)} ` : "";
  return passed + promptFor(game, snapshot.state, snapshot.you.includes(snapshot.turn));
}

/**
 * @param {Snapshot} snapshot
 * @param {Presence | null} presence
 * @param {boolean} [isClaimable] whether the win may be claimed because the player to move is away
 */
export function showPlayers(snapshot, presence, isClaimable = false) {
  for (const seat of /** @type {Seat[]} */ ([1, 2])) {
    const row = find(`#player-${seat}`);
    const player = snapshot.players[seat];
    const name = snapshot.same_device ? nameOf(snapshot, seat) : player ? called(player) : WORDS.nobodyYet;
    setText(row.querySelector(".name"), name);
    setText(row.querySelector(".wins"), String(snapshot.series.score[seat]));
    row.classList.toggle("to-move", snapshot.status === "live" && snapshot.turn === seat);
    row.classList.toggle("winner", snapshot.outcome?.winner === seat);
    const you = snapshot.you.includes(seat) && !snapshot.same_device ? WORDS.you : "";
    const here = snapshot.same_device || you ? null : presence?.players[seat];
    const isGone = here === "away" && snapshot.turn === seat && isClaimable;
    setText(row.querySelector(".presence"), isGone ? PRESENCE.gone : here ? PRESENCE[here] : you);
  }
}
