// The words of the pages: everything a script says stands here.

/** @import { Entry, Live, Presence, Seat, Snapshot } from "./types.d.ts" */

export const WORDS = {
  you: "you",
  yourTurn: "Your turn",
  matchBegins: "Your friend is here. The match begins.",
  noConnection: "No connection. Trying again…",
  kept: "Your move is kept, and sent when the connection is back.",
  needsConnection: "That needs a connection. Try again when it is back.",
  isOver: "This match is over.",
  alsoAllowed: "That would be allowed too. In this match the number that glows comes next.",
  lookingBack: "You are looking back. Return to now to play.",
  onItsWay: "Your move is on its way.",
  watching: "You are watching this match.",
  openToPlay: "This is your match. Open it to play.",
  spectator: "A spectator",
  played: "has been played already.",
  noFactors: "no factor",
  rematch: "Rematch",
  offered: "Offered",
  accept: "Accept rematch",
  copy: "Copy",
  copied: "Copied",
  copyByHand: "Press Ctrl+C",
};

/**
 * Whom a sentence is about.
 * @param {Snapshot} board
 * @param {Seat} seat
 */
export function nameOf(board, seat) {
  if (board.same_device) return `Player ${seat}`;
  if (board.you.includes(seat)) return "You";
  return board.players[seat]?.name ?? `Player ${seat}`;
}

/**
 * What the server says of "Player 1", with the names people know.
 * @param {Snapshot} board
 * @param {string} text
 */
export function withNames(board, text) {
  return text.replace(/Player ([12])('s)?/g, (_, digit, genitive) => {
    const seat = /** @type {Seat} */ (Number(digit));
    const name = nameOf(board, seat);
    if (name === "You") return genitive ? "your" : "you";
    return name + (genitive ?? "");
  });
}

/**
 * Who plays in a listed match.
 * @param {Live} match
 */
export function playersOf(match) {
  return `${match.players[1]?.name} and ${match.players[2]?.name}`;
}

/**
 * How many watch; nothing for nobody.
 * @param {number} spectators
 */
export function audience(spectators) {
  return spectators > 0 ? `${spectators} watching` : "";
}

/**
 * What is heard when another match is shown large.
 * @param {string} game
 * @param {Live} match
 */
export function nowShown(game, match) {
  return `Now shown: ${game}, ${playersOf(match)}.`;
}

/**
 * What is heard of a reaction.
 * @param {Snapshot} board
 * @param {Seat | null} by a seat, or null for a spectator
 * @param {string} words
 */
export function reactionOf(board, by, words) {
  return `${by ? nameOf(board, by) : WORDS.spectator}: ${words}`;
}

/**
 * One line of the move list.
 * @param {Entry} entry
 */
export function moveText(entry) {
  if (entry.decision === "resign") return "resigns";
  if (entry.decision === "claim") return "claims the win";
  const taken = entry.events.find((event) => event.type === "taken");
  return String(taken ? taken.number : entry.move);
}

/**
 * @param {Snapshot} board
 * @param {Seat} seat
 */
export function turnOf(board, seat) {
  const name = nameOf(board, seat);
  return name === "You" ? WORDS.yourTurn : `${name}'s turn`;
}

/**
 * Who has won; and why.
 * @param {Snapshot} board
 * @returns {[string, string]}
 */
export function resultOf(board) {
  if (!board.outcome) return ["", ""];
  const winner = nameOf(board, board.outcome.winner);
  return [`${winner} ${winner === "You" ? "win" : "wins"}`, withNames(board, board.outcome.text)];
}

/**
 * How a match stands that is not being played; nothing for one that is.
 * @param {Snapshot} board
 */
export function standing(board) {
  if (board.status === "open") return board.you.length ? "Waiting for your friend" : "";
  if (board.status === "cancelled") return "This invitation was cancelled.";
  if (board.status === "expired") return "This invitation has expired.";
  if (board.status === "unfinished") return "This match was closed, because nobody had moved for a long time.";
  return "";
}

/** What may come next, by game. @type {Record<string, (state: any) => [string, string]>} */
const NEXT = {
  "number-blossoms": ({ blossoms, turn }) => {
    const { centre } = blossoms[turn - 1];
    return centre === null ? ["Choose", "a centre"] : ["Add", `a petal that shares a factor with ${centre}`];
  },
  "number-tower-duel": ({ played }) =>
    played.length ? ["Put", `a divisor or a multiple of ${played.at(-1)} on top`] : ["Begin with", "any block"],
  "chain-factor": ({ played }) =>
    played.length ? ["Remove", `a number that shares no factor with ${played.at(-1)}`] : ["Remove", "any number"],
  "number-collapse": () => ["Take", "a number, and its smaller neighbours fall"],
  "number-eliminator": ({ played }) =>
    played.length ? ["Cross off", `a divisor or a multiple of ${played.at(-1)}`] : ["Cross off", "any number"],
};

/**
 * What there is to do.
 * @param {string} game
 * @param {any} state
 * @param {boolean} mine
 */
export function promptFor(game, state, mine) {
  const [verb, what] = NEXT[game](state);
  return mine ? `${verb} ${what}.` : `Next: ${what}.`;
}

/** What a move did, by event. @type {Record<string, (event: any, who: string) => string>} */
const TOLD = {
  placed: ({ number, after }, who) => `${who} placed ${number}${after ? ` on ${after}` : ""}.`,
  removed: ({ number }, who) => `${who} removed ${number}.`,
  crossed_off: ({ number }, who) => `${who} crossed off ${number}.`,
  centre: ({ number }, who) => `${who} chose ${number} as the centre.`,
  petal: ({ number }, who) => `${who} added petal ${number}.`,
  taken: ({ number }, who) => `${who} took ${number}.`,
  scored: ({ total }) => `Total ${total}.`,
  collapsed: ({ number }) => `${number} fell.`,
  passed: (_, who) => `${who} had to pass.`,
};

/**
 * What somebody who cannot see the board has to hear of a move.
 * @param {Snapshot} board
 * @param {Entry} entry
 */
export function tell(board, entry) {
  const who = nameOf(board, entry.seat);
  return entry.events.map((event) => TOLD[event.type]?.(event, who) ?? "").filter(Boolean).join(" ");
}

/**
 * Which numbers may be played.
 * @param {Snapshot} board
 */
export function choices(board) {
  const cells = board.state.cells;
  const numbers = board.legal.map((move) => (cells ? cells[Number(move) - 1] : move));
  return `You may play ${numbers.join(", ")}.`;
}

/**
 * How long until the win can be claimed from somebody who is away or slow.
 * @param {Snapshot} board
 * @param {Presence} presence
 * @param {number} seconds
 */
export function claimText(board, presence, seconds) {
  const away = nameOf(board, board.turn);
  const mine = presence.claim !== null && board.you.includes(presence.claim.seat);
  if (seconds === 0) return mine ? `${away} did not move in time. You can claim the win.` : "";
  const how = presence.players[board.turn] === "away" ? "away" : "slow";
  const minutes = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return `${away} ${away === "You" ? "are" : "is"} ${how}. The win can be claimed in ${minutes}.`;
}
