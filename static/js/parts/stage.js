// What everyone sees of a match: who plays, whose turn it is, and what the board is to show.

import { element, find, setText } from "./dom.js";
import { PRESENCE, WORDS, called, nameOf, promptFor, resultOf, standing, tell, turnOf } from "../words/say.js";

/** @import { Follower } from "../net/follow.js" */
/** @import { BoardModule, Presence, Seat, Snapshot, View } from "../types.d.ts" */

/**
 * What the board is to show.
 * @param {Follower} follower
 * @param {Snapshot} shown
 * @returns {View}
 */
export function viewOf(follower, shown) {
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
 * Whether it is the turn of the one who looks at it.
 * @param {Snapshot} shown
 */
export function isMine(shown) {
  return shown.status === "live" && shown.you.includes(shown.turn) && !shown.same_device;
}

/**
 * How the match stands: the headline, and the rest of the sentence.
 * @param {Snapshot} shown
 * @returns {string[]}
 */
export function statusParts(shown) {
  if (shown.outcome) return resultOf(shown);
  if (shown.status !== "live") return [standing(shown)];
  return [turnOf(shown, shown.turn)];
}

/**
 * @param {BoardModule} game
 * @param {Snapshot} shown
 * @param {boolean} [kept] whether a move waits for the connection
 */
export function showStatus(game, shown, kept = false) {
  const status = find("#status");
  const live = shown.status === "live";
  status.className = live ? `seat-${shown.turn}` : shown.outcome ? `seat-${shown.outcome.winner}` : "";
  status.classList.toggle("mine", isMine(shown));
  const [headline, more] = statusParts(shown);
  if (more) {
    if (status.textContent !== `${headline}: ${more}`) status.replaceChildren(element("b", "", headline), `: ${more}`);
  } else {
    setText(status, kept ? WORDS.kept : headline);
  }
  setText(find("#prompt"), live ? promptOf(game, shown) : "");
}

/**
 * @param {BoardModule} game
 * @param {Snapshot} shown
 */
function promptOf(game, shown) {
  const last = shown.history.at(-1);
  const passed = last?.move === "pass" ? `${tell(game, shown, last)} ` : "";
  return passed + promptFor(game, shown.state, shown.you.includes(shown.turn));
}

/**
 * @param {Snapshot} shown
 * @param {Presence | null} there
 * @param {boolean} [claimable] whether the win can be claimed from whose turn it is
 */
export function showPlayers(shown, there, claimable = false) {
  for (const seat of /** @type {Seat[]} */ ([1, 2])) {
    const row = find(`#player-${seat}`);
    const player = shown.players[seat];
    const name = shown.same_device ? nameOf(shown, seat) : player ? called(player) : WORDS.nobodyYet;
    setText(row.querySelector(".name"), name);
    setText(row.querySelector(".wins"), String(shown.series.score[seat]));
    row.classList.toggle("to-move", shown.status === "live" && shown.turn === seat);
    row.classList.toggle("winner", shown.outcome?.winner === seat);
    const own = shown.you.includes(seat) && !shown.same_device ? WORDS.you : "";
    const presence = shown.same_device || own ? null : there?.players[seat];
    const gone = presence === "away" && shown.turn === seat && claimable;
    setText(row.querySelector(".presence"), gone ? PRESENCE.gone : presence ? PRESENCE[presence] : own);
  }
}
