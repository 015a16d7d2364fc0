// Follows one match: versions, a move on its way, and looking back. Knows neither sockets nor pages.

/** @import { Entry, Move, Presence, Rejected, Snapshot, Update } from "../types.d.ts" */

/**
 * @typedef {object} Pending a move that has been sent and not been answered
 * @property {string} id
 * @property {Move} move
 * @property {number} version
 */

/**
 * Put an update on top of a snapshot.
 * @param {Snapshot} board
 * @param {Update} update
 * @returns {Snapshot}
 */
export function apply(board, update) {
  const { version, seat, move, decision, events, state } = update;
  return {
    ...board,
    version,
    state,
    legal: update.legal,
    why: update.why,
    reasons: update.reasons,
    turn: update.turn,
    outcome: update.outcome,
    status: update.outcome ? "finished" : board.status,
    series: update.series ?? board.series,
    history: [...board.history, { version, seat, move, decision, events, state }],
  };
}

export class Follower {
  /** @param {() => string} newId makes the id of a request */
  constructor(newId) {
    this.newId = newId;
    /** @type {Snapshot | null} */
    this.board = null;
    /** @type {Presence | null} */
    this.presence = null;
    /** @type {Pending | null} */
    this.pending = null;
    /** Which version is looked at; null for the newest. @type {number | null} */
    this.lookingAt = null;
    /** Why the last move was refused. @type {Rejected | null} */
    this.refusal = null;
  }

  get version() {
    return this.board ? this.board.version : 0;
  }

  get isLive() {
    return this.lookingAt === null;
  }

  /** The version that is shown. */
  get shownVersion() {
    return this.lookingAt ?? this.version;
  }

  /** The state that is shown. */
  get shownState() {
    if (!this.board) return null;
    if (this.lookingAt === null) return this.board.state;
    return this.lookingAt === 0 ? this.board.first_state : this.board.history[this.lookingAt - 1].state;
  }

  /** What led to the shown state. @returns {Entry | null} */
  get shownEntry() {
    return this.board?.history[this.shownVersion - 1] ?? null;
  }

  /** Whether whoever looks at this may move now. */
  get mayMove() {
    const board = this.board;
    return Boolean(
      board && this.isLive && !this.pending && board.status === "live" && board.you.includes(board.turn),
    );
  }

  /**
   * Take in a message.
   * @param {any} message
   * @returns {{entries: Entry[], gap: boolean}} what is new since, and whether something was missed
   */
  take(message) {
    /** @type {Entry[]} */
    let entries = [];
    let gap = false;
    if (message.type === "snapshot") {
      const known = this.board ? this.board.version : message.version;
      if (this.board && message.version < known) return { entries, gap };
      this.board = message;
      entries = message.history.slice(known);
    } else if (message.type === "update" && this.board) {
      if (message.version === this.version + 1) {
        this.board = apply(this.board, message);
        entries = this.board.history.slice(-1);
      } else {
        gap = message.version > this.version;
      }
    } else if (message.type === "presence") {
      this.presence = message;
    } else if (message.type === "rematch" && this.board) {
      this.board = { ...this.board, rematch: { offered_by: message.offered_by, next: message.next } };
    } else if (message.type === "rejected" && message.id === this.pending?.id) {
      this.pending = null;
      this.refusal = message;
    }
    this.settle();
    return { entries, gap };
  }

  /** A move on its way has arrived, or no longer fits, once the version has gone on. */
  settle() {
    if (this.pending && this.board && this.board.version > this.pending.version) this.pending = null;
    if (this.pending && this.board?.outcome) this.pending = null;
  }

  /**
   * Choose a move.
   * @param {Move} move
   * @returns {object | null} the message to send, or null if it cannot be played now
   */
  choose(move) {
    if (!this.board || !this.mayMove || !this.board.legal.includes(move)) return null;
    this.pending = { id: this.newId(), move, version: this.version };
    this.refusal = null;
    return this.resend();
  }

  /** The message of the move on its way, to be sent again after a break. @returns {object | null} */
  resend() {
    return this.pending ? { type: "move", ...this.pending } : null;
  }

  /**
   * Look at an earlier version; the newest one is live again.
   * @param {number} version
   */
  lookAt(version) {
    const wanted = Math.max(0, Math.min(version, this.version));
    this.lookingAt = wanted === this.version ? null : wanted;
  }

  lookLive() {
    this.lookingAt = null;
  }
}
