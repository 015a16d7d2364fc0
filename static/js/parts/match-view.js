// What everyone sees of a match: who plays, whose turn it is, and what the board is to show.

import { element, find, setText } from "./dom.js";
import { PRESENCE, WORDS, called, nameOf, promptFor, resultOf, standing, tell, turnOf } from "../words/say.js";

/** @import { Follower } from "../net/follow.js" */
/** @import { Presence, Seat, Snapshot, View } from "../types.d.ts" */

/**
 * What the board is to show.
 * @param {Follower} follower
 * @param {Snapshot} snapshot
 * @returns {View}
 */
export function boardView(follower, snapshot) {
  const running = follower.isLive && snapshot.status === "live";
  return {
    state: follower.shownState,
    legal: new Set(running ? snapshot.legal : []),
    why: snapshot.why,
    turn: running ? snapshot.turn : null,
    mine: follower.mayMove,
    pending: follower.pending?.move ?? null,
    last: follower.shownEntry?.events ?? [],
  };
}

/**
 * Whether it is the turn of the one who looks at it.
 * @param {Snapshot} snapshot
 */
export function isMyTurn(snapshot) {
  return snapshot.status === "live" && snapshot.you.includes(snapshot.turn) && !snapshot.same_device;
}

/**
 * How the match stands: the headline, and the rest of the sentence.
 * @param {Snapshot} snapshot
 * @returns {string[]}
 */
export function statusParts(snapshot) {
  if (snapshot.outcome) return resultOf(snapshot);
  if (snapshot.status !== "live") return [standing(snapshot)];
  return [turnOf(snapshot, snapshot.turn)];
}

/**
 * @param {Snapshot} snapshot
 * @param {boolean} [kept] whether a move waits for the connection
 */
export function showStatus(snapshot, kept = false) {
  const status = find("#status");
  const live = snapshot.status === "live";
  status.className = live ? `seat-${snapshot.turn}` : snapshot.outcome ? `seat-${snapshot.outcome.winner}` : "";
  status.classList.toggle("mine", isMyTurn(snapshot));
  const [headline, more] = statusParts(snapshot);
  if (more) {
    if (status.textContent !== `${headline}: ${more}`) status.replaceChildren(element("b", "", headline), `: ${more}`);
  } else {
    setText(status, kept ? WORDS.kept : headline);
  }
  setText(find("#prompt"), live ? promptOf(snapshot) : "");
}

/** @param {Snapshot} snapshot */
function promptOf(snapshot) {
  const last = snapshot.history.at(-1);
  const passed = last?.move === "pass" ? `${tell(snapshot, last)} ` : "";
  return passed + promptFor(snapshot.game, snapshot.state, snapshot.you.includes(snapshot.turn));
}

/**
 * @param {Snapshot} snapshot
 * @param {Presence | null} there
 * @param {boolean} [claimable] whether the win can be claimed from whose turn it is
 */
export function showPlayers(snapshot, there, claimable = false) {
  for (const seat of /** @type {Seat[]} */ ([1, 2])) {
    const row = find(`#player-${seat}`);
    const player = snapshot.players[seat];
    const name = snapshot.same_device ? nameOf(snapshot, seat) : player ? called(player) : WORDS.nobodyYet;
    setText(row.querySelector(".name"), name);
    setText(row.querySelector(".wins"), String(snapshot.series.score[seat]));
    row.classList.toggle("to-move", snapshot.status === "live" && snapshot.turn === seat);
    row.classList.toggle("winner", snapshot.outcome?.winner === seat);
    const own = snapshot.you.includes(seat) && !snapshot.same_device ? WORDS.you : "";
    const presence = snapshot.same_device || own ? null : there?.players[seat];
    const gone = presence === "away" && snapshot.turn === seat && claimable;
    setText(row.querySelector(".presence"), gone ? PRESENCE.gone : presence ? PRESENCE[presence] : own);
  }
}
