// Messages as the server sends them: short ones for tests, and those in docs/protocol.md.

import { readFileSync } from "node:fs";

/** All documented messages, in the document's order. */
export const DOCUMENTED = [
  ...readFileSync(new URL("../../docs/protocol.md", import.meta.url), "utf8").matchAll(/```json\n(.*?)```/gs),
].flatMap(([, block]) => block.trim().split("\n").map((line) => JSON.parse(line)));

/** A history entry: Player 1 makes the odd moves, and move n plays the number 10 + n. */
export function entry(version) {
  return {
    version,
    seat: version % 2 ? 1 : 2,
    move: 10 + version,
    decision: null,
    events: [{ type: "placed", seat: version % 2 ? 1 : 2, number: 10 + version }],
    state: { after: version },
  };
}

/** The position at a version; 1 and 2 are always legal. */
function position(version) {
  return { version, state: { after: version }, legal: [1, 2], why: { 3: "3 is gone." }, reasons: [{ numbers: [3], template: "{number} is gone.", values: {} }], turn: version % 2 ? 2 : 1, outcome: null };
}

export function snapshot(version, changes = {}) {
  return {
    type: "snapshot",
    id: "ga5snbpr",
    you: [1],
    game: "number-tower-duel",
    options: {},
    status: "live",
    listed: false,
    same_device: false,
    players: { 1: { name: "Sleepy Marten" }, 2: { name: "Dapper Finch" } },
    first_state: { after: 0 },
    history: Array.from({ length: version }, (_, index) => entry(index + 1)),
    series: { number: 1, score: { 1: 0, 2: 0 } },
    rematch: { offered_by: null, game: null, next: null },
    ...position(version),
    ...changes,
  };
}

export function update(version, changes = {}) {
  return { type: "update", id: null, ...entry(version), ...position(version), ...changes };
}

/** A sentence about a player, as the server sends it. */
export const RESIGNED = { template: "{player} resigned.", values: { player: 1 }, you: "You resigned." };

export const WON = { winner: 2, code: "resign", text: "Player 1 resigned.", ...RESIGNED };
