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
 * @param {Snapshot} snapshot
 * @param {Update} update
 * @returns {Snapshot}
 */
export function apply(snapshot, update) {
  const { version, seat, move, decision, events, state } = update;
  return {
    ...snapshot,
    version,
    state,
    legal: update.legal,
    why: update.why,
    ...(update.reasons && { reasons: update.reasons }),
    turn: update.turn,
    outcome: update.outcome,
    status: update.outcome ? "finished" : snapshot.status,
    series: update.series ?? snapshot.series,
    history: [...snapshot.history, { version, seat, move, decision, events, state }],
  };
}

export class Follower {
  /** @param {() => string} newId makes the id of a request */
  constructor(newId) {
    this.newId = newId;
    /** @type {Snapshot | null} */
    this.snapshot = null;
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
    return this.snapshot ? this.snapshot.version : 0;
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
    if (!this.snapshot) return null;
    if (this.lookingAt === null) return this.snapshot.state;
    return this.lookingAt === 0 ? this.snapshot.first_state : this.snapshot.history[this.lookingAt - 1].state;
  }

  /** What led to the shown state. @returns {Entry | null} */
  get shownEntry() {
    return this.snapshot?.history[this.shownVersion - 1] ?? null;
  }

  /** Whether whoever looks at this may move now. */
  get mayMove() {
    const snapshot = this.snapshot;
    return Boolean(
      snapshot && this.isLive && !this.pending && snapshot.status === "live" && snapshot.you.includes(snapshot.turn),
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
      const known = this.snapshot ? this.snapshot.version : message.version;
      if (this.snapshot && message.version < known) return { entries, gap };
      this.snapshot = message;
      entries = message.history.slice(known);
    } else if (message.type === "update" && this.snapshot) {
      if (message.version === this.version + 1) {
        this.snapshot = apply(this.snapshot, message);
        entries = this.snapshot.history.slice(-1);
      } else {
        gap = message.version > this.version;
      }
    } else if (message.type === "presence") {
      this.presence = message;
    } else if (message.type === "rematch" && this.snapshot) {
      this.snapshot = { ...this.snapshot, rematch: { offered_by: message.offered_by, next: message.next } };
    } else if (message.type === "rejected" && message.id === this.pending?.id) {
      this.pending = null;
      this.refusal = message;
    }
    this.settle();
    return { entries, gap };
  }

  /** A move on its way has arrived, or no longer fits, once the version has gone on. */
  settle() {
    if (this.pending && this.snapshot && this.snapshot.version > this.pending.version) this.pending = null;
    if (this.pending && this.snapshot?.outcome) this.pending = null;
  }

  /**
   * Choose a move.
   * @param {Move} move
   * @returns {object | null} the message to send, or null if it cannot be played now
   */
  choose(move) {
    if (!this.snapshot || !this.mayMove || !this.snapshot.legal.includes(move)) return null;
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
