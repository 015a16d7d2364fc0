// The guest's socket: how their matches stand. All parts of a page share one.

import { connect } from "./connect.js";

/** @import { Mine } from "../types.d.ts" */

/**
 * What the server says: first all matches that go on, then each one that changes.
 * @typedef {{type: "me", your_turn: number, matches: Mine[]} | ({type: "match", your_turn: number} & Mine)} Told
 */

/** @typedef {{onMessage: (told: Told) => void, onConnection?: (connected: boolean) => void}} Listener */

/** @type {Listener[]} */
const listeners = [];
/** What was last said, by match, for those who start to listen later. @type {Map<string, Told>} */
const heard = new Map();

/** @param {Listener} listener */
export function followMe(listener) {
  for (const told of heard.values()) listener.onMessage(told);
  listeners.push(listener);
  if (listeners.length > 1) return;
  connect("/ws/me/", {
    onMessage(message) {
      if (message.type !== "me" && message.type !== "match") return;
      if (message.type === "me") heard.clear();
      // Deleted first, so that the newest comes last.
      heard.delete(message.id ?? "");
      heard.set(message.id ?? "", message);
      for (const { onMessage } of listeners) onMessage(message);
    },
    onConnection(connected) {
      for (const { onConnection } of listeners) onConnection?.(connected);
    },
  });
}

/**
 * What has happened that the reader would like to know.
 * @param {Mine | undefined} before
 * @param {Mine} now
 * @returns {"moved" | "joined" | "rematch" | null}
 */
export function whatHappened(before, now) {
  const { opponent, rematch, status, version, you } = now;
  // The computer answers within seconds of one's own move.
  if (!opponent || opponent.level || you.length > 1) return null;
  const offer = rematch.next ? null : rematch.offered_by;
  if (status === "finished") return offer && !you.includes(offer) && before?.rematch.offered_by !== offer ? "rematch" : null;
  if (version === 0) return before?.status === "open" && status !== "open" ? "joined" : null;
  return status === "your-turn" && before?.version !== version ? "moved" : null;
}
