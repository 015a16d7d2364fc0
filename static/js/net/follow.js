// Follows one match: versions, the pending move, and looking back. Knows nothing of sockets or pages.

/** @import { Entry, Move, Presence, Rejected, Snapshot, Update } from "../types.d.ts" */

/**
 * @typedef {object} Pending a move that was sent but not answered yet
 * @property {string} id
 * @property {Move} move
 * @property {number} version
 */

/**
 * Return the snapshot as it is after an update.
 * @param {Snapshot} snapshot
 * @param {Update} update
 * @returns {Snapshot}
 */
export function applyUpdate(snapshot, update) {
  const { version, seat, move, decision, events, state } = update;
  return {
    ...snapshot,
    version,
    state,
    legal: update.legal,
    why: update.why,
    reasons: update.reasons,
    turn: update.turn,
    outcome: update.outcome,
    status: update.outcome ? "finished" : snapshot.status,
    series: update.series ?? snapshot.series,
    history: [...snapshot.history, { version, seat, move, decision, events, state }],
  };
}

export class Follower {
  /** @param {() => string} newId returns a unique id for a request */
  constructor(newId) {
    this.newId = newId;
    /** @type {Snapshot | null} */
    this.snapshot = null;
    /** @type {Presence | null} */
    this.presence = null;
    /** @type {Pending | null} */
    this.pending = null;
    /** The earlier version that is shown, or null for the newest. @type {number | null} */
    this.lookingAt = null;
    /** The answer to the last move if it was rejected. @type {Rejected | null} */
    this.rejection = null;
  }

  get version() {
    return this.snapshot ? this.snapshot.version : 0;
  }

  /** Whether the newest version is shown. */
  get isLive() {
    return this.lookingAt === null;
  }

  get shownVersion() {
    return this.lookingAt ?? this.version;
  }

  get shownState() {
    if (!this.snapshot) return null;
    if (this.lookingAt === null) return this.snapshot.state;
    return this.lookingAt === 0 ? this.snapshot.first_state : this.snapshot.history[this.lookingAt - 1].state;
  }

  /** The move that led to the shown state. @returns {Entry | null} */
  get shownEntry() {
    return this.snapshot?.history[this.shownVersion - 1] ?? null;
  }

  /** Whether the reader may move now. */
  get mayMove() {
    const snapshot = this.snapshot;
    return Boolean(
      snapshot && this.isLive && !this.pending && snapshot.status === "live" && snapshot.you.includes(snapshot.turn),
    );
  }

  /**
   * Update everything from a message of the server.
   * @param {any} message
   * @returns {{entries: Entry[], gap: boolean}} the new moves, and whether we or the server missed an update
   */
  receive(message) {
    /** @type {Entry[]} */
    let entries = [];
    let gap = false;
    if (message.type === "snapshot") {
      const known = this.snapshot ? this.snapshot.version : message.version;
      // After a process died, the next one may not have heard of the last move yet.
      if (this.snapshot && message.version < known) return { entries, gap: true };
      this.snapshot = message;
      entries = message.history.slice(known);
    } else if (message.type === "update" && this.snapshot) {
      if (message.version === this.version + 1) {
        this.snapshot = applyUpdate(this.snapshot, message);
        entries = this.snapshot.history.slice(-1);
      } else {
        gap = message.version > this.version;
      }
    } else if (message.type === "presence") {
      this.presence = message;
    } else if (message.type === "rematch" && this.snapshot) {
      this.snapshot = { ...this.snapshot, rematch: { offered_by: message.offered_by, game: message.game, next: message.next } };
    } else if (message.type === "rejected" && message.id === this.pending?.id) {
      this.pending = null;
      this.rejection = message;
    }
    this.dropOutdatedPending();
    return { entries, gap };
  }

  /** Once the match has moved on, the pending move was accepted or no longer fits. */
  dropOutdatedPending() {
    if (this.pending && this.snapshot && this.snapshot.version > this.pending.version) this.pending = null;
    if (this.pending && this.snapshot?.outcome) this.pending = null;
  }

  /**
   * Make a move the pending one.
   * @param {Move} move
   * @returns {object | null} the message to send, or null if the move can't be played now
   */
  choose(move) {
    if (!this.snapshot || !this.mayMove || !this.snapshot.legal.includes(move)) return null;
    this.pending = { id: this.newId(), move, version: this.version };
    this.rejection = null;
    return this.pendingMessage();
  }

  /** The message of the pending move, to send it or to retry it. @returns {object | null} */
  pendingMessage() {
    return this.pending ? { type: "move", ...this.pending } : null;
  }

  /**
   * Show an earlier version, or return to live with the newest.
   * @param {number} version
   */
  lookAt(version) {
    const wanted = Math.max(0, Math.min(version, this.version));
    this.lookingAt = wanted === this.version ? null : wanted;
  }
}
