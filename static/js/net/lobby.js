// The lobby's socket: open invitations and live matches, sent whenever they change.

import { connect } from "./connect.js";

/** @import { Live } from "../types.d.ts" */

/** @typedef {{open: any[], live: Live[]}} Lobby */

/**
 * @param {object} handlers
 * @param {(lobby: Lobby) => Promise<void>} handlers.prepare loads what `show` needs
 * @param {(lobby: Lobby) => void} handlers.show
 * @param {(connected: boolean) => void} handlers.onConnection
 */
export function followLobby({ prepare, show, onConnection }) {
  /** @type {Lobby | null} */
  let newest = null;
  connect("/ws/lobby/", {
    async onMessage(message) {
      if (message.type !== "lobby") return;
      newest = message;
      await prepare(message);
      // A newer message may have arrived in the meantime, and may even have been shown.
      if (newest === message) show(message);
    },
    onConnection,
  });
}
