// The words of the pages: everything a script says stands here, and in judge.js what a review says.

import { fill, gettext, translated } from "./translate.js";

/** @import { BoardModule, Entry, Live, Presence, Seat, Snapshot } from "../types.d.ts" */
/** @import { Values } from "./translate.js" */

export const WORDS = {
  you: gettext("you"),
  yourTurn: gettext("Your turn"),
  matchBegins: gettext("Your friend is here. The match begins."),
  noConnection: gettext("No connection. Trying again…"),
  kept: gettext("Your move is kept, and sent when the connection is back."),
  needsConnection: gettext("That needs a connection. Try again when it is back."),
  isOver: gettext("This match is over."),
  alsoAllowed: gettext("That would be allowed too. In this match the number that glows comes next."),
  lookingBack: gettext("You are looking back. Return to now to play."),
  onItsWay: gettext("Your move is on its way."),
  watching: gettext("You are watching this match."),
  openToPlay: gettext("This is your match. Open it to play."),
  spectator: gettext("A spectator"),
  nobodyYet: gettext("nobody yet"),
  larger: gettext("larger"),
  join: gettext("Join"),
  noFactors: gettext("no factor"),
  rematch: gettext("Rematch"),
  offered: gettext("Offered"),
  accept: gettext("Accept rematch"),
  copy: gettext("Copy"),
  copied: gettext("Copied"),
  copyByHand: gettext("Press Ctrl+C"),
};

/** Whether somebody is there. @type {Record<string, string>} */
export const PRESENCE = { here: gettext("here"), away: gettext("away"), gone: gettext("gone") };

/**
 * @param {Snapshot} board
 * @param {Seat} seat
 */
function isYou(board, seat) {
  return board.you.includes(seat) && !board.same_device;
}

/**
 * Whom a sentence is about.
 * @param {Snapshot} board
 * @param {Seat} seat
 */
export function nameOf(board, seat) {
  const player = board.players[seat];
  if (board.same_device || !player) return gettext("Player {seat}", { seat });
  return isYou(board, seat) ? gettext("You") : called(player);
}

/**
 * A name; the computer's is made of words.
 * @param {{name: string}} player
 */
export function called({ name }) {
  return name.endsWith(" computer") ? translated(name) : name;
}

/**
 * What happened to somebody, in one sentence for the reader and one for everybody else.
 * @param {Snapshot} board
 * @param {Seat} seat
 * @param {string} you
 * @param {string} other
 * @param {Values} [values]
 */
export function about(board, seat, you, other, values = {}) {
  return fill(isYou(board, seat) ? you : other, { ...values, player: nameOf(board, seat) });
}

/**
 * What the server says of "Player 1", with the names people know.
 * @param {Snapshot} board
 * @param {string} text
 */
export function withNames(board, text) {
  const mine = text.replace(/Player ([12])('s)?( wins)?/g, (whole, digit, genitive, wins) => {
    if (!isYou(board, /** @type {Seat} */ (Number(digit)))) return whole;
    return (genitive ? "your" : "you") + (wins ? " win" : "");
  });
  return translated(mine).replace(/Player ([12])/g, (_, digit) => nameOf(board, /** @type {Seat} */ (Number(digit))));
}

/**
 * Who plays in a listed match.
 * @param {Live} match
 */
export function playersOf(match) {
  return gettext("{one} and {two}", { one: called(match.players[1]), two: called(match.players[2]) });
}

/**
 * How many watch, besides the one who reads it; nothing for nobody.
 * @param {number} spectators
 * @param {boolean} [more] whether the reader watches too
 */
export function audience(spectators, more = false) {
  if (spectators <= 0) return "";
  return more ? gettext("{count} more watching", { count: spectators }) : gettext("{count} watching", { count: spectators });
}

/**
 * What is heard when another match is shown large.
 * @param {string} game
 * @param {Live} match
 */
export function nowShown(game, match) {
  return gettext("Now shown: {game}, {players}.", { game, players: playersOf(match) });
}

/**
 * Whose invitation is in the lobby.
 * @param {string} name
 */
export function invitedBy(name) {
  return gettext("with {name}", { name });
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
  if (entry.decision === "resign") return gettext("resigns");
  if (entry.decision === "claim") return gettext("claims the win");
  if (entry.move === "pass") return gettext("pass");
  const taken = entry.events.find((event) => event.type === "taken");
  return String(taken ? taken.number : entry.move);
}

/**
 * The same for who cannot see whose line it is.
 * @param {Entry} entry
 */
export function moveLabel(entry) {
  return gettext("Move {number}, Player {seat}: {move}", { number: entry.version, seat: entry.seat, move: moveText(entry) });
}

/**
 * @param {Snapshot} board
 * @param {Seat} seat
 */
export function turnOf(board, seat) {
  return about(board, seat, WORDS.yourTurn, gettext("{player}'s turn"));
}

/**
 * Why somebody else's turn is no time to play.
 * @param {Snapshot} board
 */
export function notYourTurn(board) {
  return gettext("It is {player}'s turn.", { player: nameOf(board, board.turn) });
}

/** @param {string | number} move */
export function playedAlready(move) {
  return gettext("{number} has been played already.", { number: String(move) });
}

/**
 * @param {Snapshot} board
 * @param {Seat} winner
 */
export function winnerText(board, winner) {
  return about(board, winner, gettext("You win"), gettext("{player} wins"));
}

/**
 * Who has won; and why.
 * @param {Snapshot} board
 * @returns {[string, string]}
 */
export function resultOf(board) {
  if (!board.outcome) return ["", ""];
  return [winnerText(board, board.outcome.winner), withNames(board, board.outcome.text)];
}

/**
 * How a match stands that is not being played; nothing for one that is.
 * @param {Snapshot} board
 */
export function standing(board) {
  if (board.status === "open") return board.you.length ? gettext("Waiting for your friend") : "";
  if (board.status === "cancelled") return gettext("This invitation was cancelled.");
  if (board.status === "expired") return gettext("This invitation has expired.");
  if (board.status === "unfinished") return gettext("This match was closed, because nobody had moved for a long time.");
  return "";
}

/**
 * What there is to do.
 * @param {Pick<BoardModule, "nextMove">} game
 * @param {any} state
 * @param {boolean} mine
 */
export function promptFor(game, state, mine) {
  const [todo, next] = game.nextMove(state);
  return mine ? todo : next;
}

/**
 * What somebody who cannot see the board has to hear of a move.
 * @param {Pick<BoardModule, "told">} game
 * @param {Snapshot} board
 * @param {Entry} entry
 */
export function tell(game, board, entry) {
  const sentences = entry.events.map((event) => {
    const told = game.told[event.type];
    return told ? about(board, entry.seat, ...told(event), /** @type {any} */ (event)) : "";
  });
  return sentences.filter(Boolean).join(" ");
}

/**
 * Which numbers may be played.
 * @param {Snapshot} board
 */
export function choices(board) {
  const cells = board.state.cells;
  const numbers = board.legal.map((move) => (cells ? cells[Number(move) - 1] : move));
  return gettext("You may play {numbers}.", { numbers: numbers.join(", ") });
}

/**
 * How long until the win can be claimed from somebody who is away or slow.
 * @param {Snapshot} board
 * @param {Presence} presence
 * @param {number} seconds
 */
export function claimText(board, presence, seconds) {
  const mine = presence.claim !== null && board.you.includes(presence.claim.seat);
  if (seconds === 0) {
    return mine ? gettext("{player} did not move in time. You can claim the win.", { player: nameOf(board, board.turn) }) : "";
  }
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const [you, other] =
    presence.players[board.turn] === "away"
      ? [gettext("You are away. The win can be claimed in {time}."), gettext("{player} is away. The win can be claimed in {time}.")]
      : [gettext("You are slow. The win can be claimed in {time}."), gettext("{player} is slow. The win can be claimed in {time}.")];
  return about(board, board.turn, you, other, { time });
}

/** What several boards say of their numbers; what only one says is in its board.js. */
export const TILE = {
  /** @param {number} count */
  left: (count) => gettext("{count} left", { count }),
  /** @param {number} number */
  number: (number) => gettext("Number {number}", { number }),
  /** @param {string} label */
  mayBePlayed: (label) => gettext("{label}, may be played", { label }),
};
