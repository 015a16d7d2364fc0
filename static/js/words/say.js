// What the pages say about a match. What boards say is in boards.js, what a review says in judgements.js.

import { fill, gettext, say } from "./translate.js";

/** @import { BoardModule, Entry, Live, Player, Presence, Said, Seat, Snapshot } from "../types.d.ts" */
/** @import { Reader, Values } from "./translate.js" */

export const WORDS = {
  you: gettext("you"),
  yourTurn: gettext("Your turn"),
  matchBegins: gettext("Your friend is here. The match starts."),
  noConnection: gettext("No connection. Reconnecting…"),
  kept: gettext("Your move is saved here and will be sent when you're back online."),
  needsConnection: gettext("You're offline. Try again when you're back online."),
  isOver: gettext("This match is over."),
  alsoAllowed: gettext("That's allowed too. In this example the glowing number comes next."),
  lookingBack: gettext("You're looking at an earlier move. Go back to now to play."),
  onItsWay: gettext("Your move is being sent."),
  watching: gettext("You're watching this match."),
  openToPlay: gettext("This is your match. Open it to play."),
  spectator: gettext("A spectator"),
  nobodyYet: gettext("nobody yet"),
  larger: gettext("larger"),
  join: gettext("Join"),
  rematch: gettext("Rematch"),
  withdraw: gettext("Withdraw offer"),
  seatTaken: gettext("Somebody else has joined. You're watching."),
  accept: gettext("Accept rematch"),
  copy: gettext("Copy"),
  copied: gettext("Copied"),
  copyByHand: gettext("Press Ctrl+C"),
  nameSaved: gettext("Saved."),
  longName: gettext("A name has at most {count} characters.", { count: 20 }),
};

/** Whether somebody is there. @type {Record<string, string>} */
export const PRESENCE = { here: gettext("here"), away: gettext("away"), gone: gettext("gone") };

/**
 * @param {Snapshot} snapshot
 * @param {Seat} seat
 */
function isYou(snapshot, seat) {
  return snapshot.you.includes(seat) && !snapshot.same_device;
}

/**
 * Whom a sentence is about.
 * @param {Snapshot} snapshot
 * @param {Seat} seat
 */
export function nameOf(snapshot, seat) {
  const player = snapshot.players[seat];
  if (snapshot.same_device || !player) return gettext("Player {seat}", { seat });
  return isYou(snapshot, seat) ? gettext("You") : called(player);
}

/**
 * A name: people choose theirs, the computer's is translated.
 * @param {Player} player
 */
export function called({ name, level, former }) {
  return level || former ? gettext(name) : name;
}

/**
 * How a computer plays; nothing for a person.
 * @param {Player | null} player
 */
export function aboutComputer(player) {
  return player?.level ? `${called(player)}: ${say(/** @type {Said} */ (player), ANYONE)}` : "";
}

/** A reader who plays no part in it. @type {Reader} */
const ANYONE = { nameOf: (seat) => gettext("Player {seat}", { seat }), isYou: () => false };

/**
 * What the server says, with the names people know.
 * @param {Snapshot | null} snapshot the match it is about, if it is about one
 * @param {Said} sentence
 */
export function said(snapshot, sentence) {
  if (!snapshot) return say(sentence, ANYONE);
  return say(sentence, { nameOf: (seat) => nameOf(snapshot, seat), isYou: (seat) => isYou(snapshot, seat) });
}

/** @param {string | number} number */
export function playedAlready(number) {
  return gettext("{number} has already been played.", { number: String(number) });
}

/**
 * Why a number on the board may not be played.
 * @param {Snapshot} snapshot
 * @param {Pick<Snapshot, "reasons">} position
 * @param {string | number} number
 */
export function whyNot(snapshot, { reasons }, number) {
  const reason = reasons.find(({ numbers }) => numbers.includes(Number(number)));
  if (!reason) return playedAlready(number);
  return said(snapshot, { ...reason, values: { ...reason.values, number: Number(number) } });
}

/**
 * What happened to somebody, in one sentence for the reader and one for everybody else.
 * @param {Snapshot} snapshot
 * @param {Seat} seat
 * @param {string} you
 * @param {string} other
 * @param {Values} [values]
 */
export function about(snapshot, seat, you, other, values = {}) {
  return fill(isYou(snapshot, seat) ? you : other, { ...values, player: nameOf(snapshot, seat) });
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
 * @param {Snapshot} snapshot
 * @param {Seat | null} by a seat, or null for a spectator
 * @param {string} words
 */
export function reactionOf(snapshot, by, words) {
  return `${by ? nameOf(snapshot, by) : WORDS.spectator}: ${words}`;
}

/**
 * One line of the move list.
 * @param {Entry} entry
 */
export function moveText(entry) {
  if (entry.decision === "resign") return gettext("resigns");
  if (entry.decision === "claim") return gettext("claims the win");
  if (entry.move === "pass") return gettext("pass");
  // In a grid a move is a position; its first event has the number that people call it by.
  return String(entry.events[0]?.number ?? entry.move);
}

/**
 * The same for who cannot see whose line it is.
 * @param {Entry} entry
 */
export function moveLabel(entry) {
  return gettext("Move {number}, Player {seat}: {move}", { number: entry.version, seat: entry.seat, move: moveText(entry) });
}

/**
 * @param {Snapshot} snapshot
 * @param {Seat} seat
 */
export function turnOf(snapshot, seat) {
  return about(snapshot, seat, WORDS.yourTurn, gettext("{player}'s turn"));
}

/**
 * Why somebody else's turn is no time to play.
 * @param {Snapshot} snapshot
 */
export function notYourTurn(snapshot) {
  return gettext("It's {player}'s turn.", { player: nameOf(snapshot, snapshot.turn) });
}

/**
 * @param {Snapshot} snapshot
 * @param {Seat} winner
 */
export function winnerText(snapshot, winner) {
  return about(snapshot, winner, gettext("You win"), gettext("{player} wins"));
}

/**
 * Who has won; and why.
 * @param {Snapshot} snapshot
 * @returns {[string, string]}
 */
export function resultOf(snapshot) {
  if (!snapshot.outcome) return ["", ""];
  return [winnerText(snapshot, snapshot.outcome.winner), said(snapshot, snapshot.outcome)];
}

/**
 * How a match stands that is not being played; nothing for one that is.
 * @param {Snapshot} snapshot
 */
export function standing(snapshot) {
  if (snapshot.status === "open") return snapshot.you.length ? gettext("Waiting for your friend") : "";
  if (snapshot.status === "cancelled") return gettext("This invitation was cancelled.");
  if (snapshot.status === "expired") return gettext("This invitation has expired.");
  if (snapshot.status === "unfinished") return gettext("This match was closed because nobody had moved for a long time.");
  return "";
}

/**
 * The button that accepts another game.
 * @param {string} game its name
 */
export function acceptText(game) {
  return gettext("Accept: {game}", { game });
}

/**
 * What the other player offers to play next; nothing if they offer nothing, or if it was accepted.
 * @param {Snapshot} snapshot
 */
export function offerText(snapshot) {
  const { rematch, you } = snapshot;
  if (!rematch.offered_by || rematch.next || !you.length || you.includes(rematch.offered_by)) return "";
  const player = nameOf(snapshot, rematch.offered_by);
  if (!rematch.game || rematch.game === snapshot.game) return gettext("{player} offers a rematch", { player });
  return gettext("{player} offers another game", { player });
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
 * @param {Snapshot} snapshot
 * @param {Entry} entry
 */
export function tell(game, snapshot, entry) {
  const sentences = entry.events.map((event) => {
    const told = game.told[event.type];
    return told ? about(snapshot, entry.seat, ...told(event), /** @type {any} */ (event)) : "";
  });
  return sentences.filter(Boolean).join(" ");
}

/**
 * Which numbers may be played.
 * @param {BoardModule} game
 * @param {Snapshot} snapshot
 */
export function choices(game, snapshot) {
  const numbers = snapshot.legal.map((move) => game.numberOf?.(snapshot.state, move) ?? move);
  return gettext("You can play {numbers}.", { numbers: numbers.join(", ") });
}

/**
 * How long until the win can be claimed from somebody who is away or slow.
 * @param {Snapshot} snapshot
 * @param {Presence} presence
 * @param {number} seconds
 */
export function claimText(snapshot, presence, seconds) {
  const mine = presence.claim !== null && snapshot.you.includes(presence.claim.seat);
  if (seconds === 0) {
    return mine ? gettext("{player} did not move in time. You can claim the win.", { player: nameOf(snapshot, snapshot.turn) }) : "";
  }
  const time = timeLeft(seconds);
  const [you, claiming, watching] =
    presence.players[snapshot.turn] === "away"
      ? [
          gettext("You're away. Your opponent may claim the win in {time}."),
          gettext("{player} is away. You can claim the win in {time}."),
          gettext("{player} is away. Their opponent may claim the win in {time}."),
        ]
      : [
          gettext("You're taking a while. Your opponent may claim the win in {time}."),
          gettext("{player} is taking a while. You can claim the win in {time}."),
          gettext("{player} is taking a while. Their opponent may claim the win in {time}."),
        ];
  return about(snapshot, snapshot.turn, you, mine ? claiming : watching, { time });
}

/**
 * How long is left: as a countdown in the last hour, else in hours or days, of which there are always several.
 * @param {number} seconds
 */
function timeLeft(seconds) {
  const hours = Math.ceil(seconds / 3600);
  if (seconds >= 48 * 3600) return gettext("{count} days", { count: Math.ceil(hours / 24) });
  if (seconds > 3600) return gettext("{count} hours", { count: hours });
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * Why no win can be claimed although it's the turn of somebody who is away; nothing in other cases.
 * @param {Snapshot} snapshot
 * @param {Presence} presence
 */
export function unseenText(snapshot, presence) {
  const { status, turn, pace } = snapshot;
  if (status !== "live" || pace !== "now" || !presence.unseen?.includes(turn)) return "";
  return about(snapshot, turn, "", gettext("{player} hasn't opened the match yet."));
}
