// The review of a finished match: how good each move was, and what other moves would have done.

import { loadBoard } from "../parts/boards.js";
import { NO_CONNECTION, SYMBOLS, accuracyText, endText, holderText, markText, solutionText, verdictText } from "../words/judgements.js";
import { element, find, setText } from "../parts/dom.js";
import { onShortcut } from "../parts/keyboard.js";
import { moveText, resultOf, said, whyNot } from "../words/say.js";

/** @import { Exploration, Move, Review, Seat, Snapshot, Verdict } from "../types.d.ts" */

const page = find("#review");
/** @type {Snapshot} */
const snapshot = JSON.parse(find("#snapshot").textContent ?? "");
const api = `/api/matches/${page.dataset.match}`;
const { createBoard } = await loadBoard(snapshot.game);
const board = createBoard(find("#board"), snapshot.first_state, pick);
// Resigning and claiming end a match, but they are not moves to judge.
const moves = snapshot.history.filter((entry) => entry.move !== null);

/** @type {Review | null} */
let review = null;
/** The version of the match that is shown … */
let version = 0;
/** … and the moves that the reader tried from there. @type {Move[]} */
let tried = [];
/** The position that is shown, once it has been fetched. @type {Exploration | null} */
let shown = null;
/** The review comes first, because the server works on one thing at a time. */
let mayExplore = false;
/** Positions that were requested, by address. @type {Map<string, Promise<Exploration>>} */
const cache = new Map();
/** Drops the last request. */
let aborting = new AbortController();

/**
 * @param {string} address
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
async function fetchJson(address, signal) {
  const response = await fetch(api + address, { headers: { accept: "application/json" }, signal });
  const answer = await response.json();
  if (!response.ok) throw new Error(said(null, answer));
  return answer;
}

/** The address of the position that is to be shown. */
function wanted() {
  return `/explore/?version=${version}&moves=${tried.join(",")}`;
}

/**
 * Fetch a position unless it is in the cache. The server works on one at a time, so drop the one before.
 * @param {string} address
 */
function fetchPosition(address) {
  let request = cache.get(address);
  if (!request) {
    aborting.abort();
    aborting = new AbortController();
    request = fetchJson(address, aborting.signal);
    request.catch(() => cache.delete(address));
    cache.set(address, request);
  }
  return request;
}

async function show() {
  showProgress();
  shown = null;
  if (!mayExplore) {
    drawUnjudged();
    return;
  }
  const address = wanted();
  try {
    const position = await fetchPosition(address);
    // The reader may have gone on to another position in the meantime.
    if (address === wanted()) showPosition(position);
  } catch (error) {
    if (!(error instanceof Error) || error.name === "AbortError" || address !== wanted()) return;
    if (!tried.length) drawUnjudged();
    setText(find("#verdict"), error instanceof TypeError ? NO_CONNECTION : error.message);
    setText(find("#lesson"), "");
  }
}

/** Draw the position as it was in the match, because nothing else is known about it. */
function drawUnjudged() {
  const entry = moves[version - 1];
  board.draw({
    state: entry?.state ?? snapshot.first_state,
    legal: new Set(),
    why: {},
    turn: null,
    mine: false,
    pending: null,
    last: entry?.events ?? [],
  });
  markTiles(new Map(), null);
}

/** @param {Exploration} position */
function showPosition(position) {
  if (tried.length && position.legal.length === 1 && position.legal[0] === "pass") {
    // A pass is no decision, so play it. In the match itself it is a move of its own to step through.
    goTo(version, [...tried, "pass"]);
    return;
  }
  shown = position;
  const last = tried.length ? (position.events.at(-1) ?? []) : (moves[version - 1]?.events ?? []);
  board.draw({
    state: position.state,
    legal: new Set(position.legal),
    why: position.why,
    turn: position.outcome ? null : position.turn,
    mine: !position.outcome,
    pending: null,
    last,
  });
  markTiles(new Map(position.solution?.verdicts.map((verdict) => [String(verdict.move), verdict]) ?? []), position.turn);
  showVerdict(position);
}

/**
 * Show on each number whether it wins, for the player to move.
 * @param {Map<string, Verdict>} verdicts
 * @param {Seat | null} turn
 */
function markTiles(verdicts, turn) {
  for (const tile of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("[data-move]"))) {
    const verdict = verdicts.get(tile.dataset.move ?? "");
    tile.classList.toggle("wins", Boolean(verdict?.winner) && verdict?.winner === turn);
    tile.classList.toggle("loses", Boolean(verdict?.winner) && verdict?.winner !== turn);
    if (verdict && turn) tile.setAttribute("aria-label", `${tile.textContent}, ${verdictText(verdict, turn)}`);
  }
}

/** @param {Exploration} position */
function showVerdict({ outcome, solution }) {
  const mark = tried.length ? null : review?.marks[version - 1];
  if (outcome && !tried.length && version === moves.length) {
    setText(find("#verdict"), resultOf(snapshot).join(": "));
  } else if (outcome) {
    setText(find("#verdict"), endText(snapshot, outcome.winner, said(snapshot, outcome)));
  } else if (mark) {
    setText(find("#verdict"), markText(snapshot, mark, moveText(moves[version - 1])));
  } else {
    setText(find("#verdict"), solution ? solutionText(snapshot, solution) : "");
  }
  setText(find("#lesson"), mark ? said(snapshot, mark) : "");
}

/** Mark the shown move in the list and in the bar, and enable the buttons that lead somewhere. */
function showProgress() {
  for (const [index, item] of [...find("#moves").children].entries()) {
    item.firstElementChild?.toggleAttribute("aria-current", !tried.length && index + 1 === version);
  }
  for (const [index, cell] of [...find("#bar").children].entries()) {
    cell.toggleAttribute("aria-current", index === version);
  }
  find("#first").toggleAttribute("disabled", version === 0 && !tried.length);
  find("#previous").toggleAttribute("disabled", version === 0 && !tried.length);
  find("#next").toggleAttribute("disabled", version === moves.length || tried.length > 0);
  find("#back").hidden = tried.length === 0;
}

/**
 * @param {number} wanted
 * @param {Move[]} [line] moves to try from there
 */
function goTo(wanted, line = []) {
  version = Math.max(0, Math.min(wanted, moves.length));
  tried = line;
  show();
}

function goBack() {
  if (tried.length) goTo(version, tried.slice(0, -1));
  else goTo(version - 1);
}

/**
 * Try the number that was clicked, or step forward if it is the one that was played.
 * @param {Move} move
 */
function pick(move) {
  if (!shown) return;
  if (!shown.legal.includes(move)) {
    setText(find("#verdict"), whyNot(snapshot, shown, move));
    setText(find("#lesson"), "");
  } else if (!tried.length && moves[version]?.move === move) {
    goTo(version + 1);
  } else {
    goTo(version, [...tried, move]);
  }
}

function createMoveList() {
  for (const entry of moves) {
    const button = element("button", `seat-${entry.seat}`, moveText(entry));
    button.setAttribute("type", "button");
    button.addEventListener("click", () => goTo(entry.version));
    const item = element("li");
    item.append(button);
    find("#moves").append(item);
  }
}

/** @param {Review} received */
function showReview(received) {
  review = received;
  setText(find("#summary"), said(snapshot, review));
  find("#accuracy").replaceChildren(
    ...review.accuracy.map((accuracy, index) => {
      const seat = /** @type {Seat} */ (index + 1);
      return element("p", `seat-${seat}`, accuracyText(snapshot, seat, accuracy));
    }),
  );
  const { holders, marks, turning_point: turningPoint } = review;
  find("#bar").replaceChildren(...holders.map((holder, index) => createBarCell(holder, index, turningPoint)));
  for (const [index, item] of [...find("#moves").children].entries()) {
    const mark = marks[index];
    item.className = mark.kind;
    item.append(element("span", "symbol", SYMBOLS[mark.kind]));
    item.firstElementChild?.setAttribute("aria-label", markText(snapshot, mark, moveText(moves[index])));
  }
  // Start where there is most to learn.
  goTo(turningPoint ?? 0);
}

/**
 * @param {Seat | null} holder
 * @param {number} index
 * @param {number | null} turningPoint
 */
function createBarCell(holder, index, turningPoint) {
  const cell = element("button", holder ? `seat-${holder}` : "");
  cell.setAttribute("type", "button");
  cell.classList.toggle("turning-point", index === turningPoint);
  cell.setAttribute("aria-label", holderText(snapshot, index, holder));
  cell.addEventListener("click", () => goTo(index));
  return cell;
}

createMoveList();
show();
fetchJson("/review/")
  .then(showReview, (error) => setText(find("#summary"), error.message))
  .finally(() => {
    mayExplore = true;
    show();
  });
find("#first").addEventListener("click", () => goTo(0));
find("#previous").addEventListener("click", goBack);
find("#next").addEventListener("click", () => goTo(version + 1));
find("#back").addEventListener("click", () => goTo(version));
onShortcut((event) => {
  const steps = { ArrowLeft: goBack, ArrowRight: () => tried.length || goTo(version + 1), Home: () => goTo(0), End: () => goTo(moves.length) };
  const step = steps[/** @type {keyof steps} */ (event.key)];
  if (!step) return;
  event.preventDefault();
  step();
});
