// The review of a finished match: what every move was worth, and what others would have been.

import { loadBoard } from "../parts/boards.js";
import { NO_CONNECTION, SYMBOLS, accuracyText, endText, holderText, markText, solutionText, verdictText } from "../words/judgements.js";
import { element, find, setText } from "../parts/dom.js";
import { moveText, playedAlready, resultOf, withNames } from "../words/say.js";
import { translated } from "../words/translate.js";

/** @import { Exploration, Move, Review, Seat, Snapshot } from "../types.d.ts" */

const page = find("#review");
/** @type {Snapshot} */
const match = JSON.parse(find("#snapshot").textContent ?? "");
const api = `/api/matches/${page.dataset.match}`;
const { createBoard } = await loadBoard(match.game);
const board = createBoard(find("#board"), match.first_state, pick);
// Resigning and claiming end a match, but they are no moves to judge.
const moves = match.history.filter((entry) => entry.move !== null);

/** @type {Review | null} */
let review = null;
/** Where in the match we are, and what has been tried from there. */
let version = 0;
/** @type {Move[]} */
let tried = [];
/** What the server said about positions, by their address. @type {Map<string, Promise<Exploration>>} */
const known = new Map();

/**
 * @param {string} address
 * @returns {Promise<any>}
 */
async function ask(address) {
  const response = await fetch(api + address, { headers: { accept: "application/json" } });
  const answer = await response.json();
  if (!response.ok) throw new Error(translated(answer.text));
  return answer;
}

/** The position that is shown, asked for once. */
function position() {
  const address = `/explore/?version=${version}&moves=${tried.join(",")}`;
  let found = known.get(address);
  if (!found) {
    found = ask(address);
    found.catch(() => known.delete(address));
    known.set(address, found);
  }
  return found;
}

async function show() {
  showList();
  const wanted = position();
  try {
    const shown = await wanted;
    // Whoever walks on quickly wants to see where they are, not where they were.
    if (wanted === position()) draw(shown);
  } catch (error) {
    setText(find("#verdict"), error instanceof TypeError ? NO_CONNECTION : error instanceof Error ? error.message : "");
  }
}

/** @param {Exploration} shown */
function draw(shown) {
  if (shown.legal.length === 1 && shown.legal[0] === "pass") {
    // Nobody decides to pass: walking on in the match does it, and so does a line that is tried.
    if (tried.length) {
      go(version, [...tried, "pass"]);
      return;
    }
  }
  const last = tried.length ? (shown.events.at(-1) ?? []) : (moves[version - 1]?.events ?? []);
  board.draw({
    state: shown.state,
    legal: new Set(shown.legal),
    why: shown.why,
    turn: shown.outcome ? null : shown.turn,
    mine: !shown.outcome,
    pending: null,
    last,
  });
  const verdicts = new Map(shown.solution?.verdicts.map((verdict) => [String(verdict.move), verdict]) ?? []);
  for (const tile of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("[data-move]"))) {
    const verdict = verdicts.get(tile.dataset.move ?? "");
    tile.classList.toggle("wins", verdict?.winner === shown.turn);
    tile.classList.toggle("loses", Boolean(verdict?.winner) && verdict?.winner !== shown.turn);
    if (verdict) tile.setAttribute("aria-label", `${tile.textContent}, ${verdictText(verdict, shown.turn)}`);
  }
  showVerdict(shown);
}

/** @param {Exploration} shown */
function showVerdict(shown) {
  const mark = tried.length ? null : review?.marks[version - 1];
  if (shown.outcome && !tried.length && version === moves.length) {
    setText(find("#verdict"), resultOf(match).join(": "));
  } else if (shown.outcome) {
    setText(find("#verdict"), endText(match, shown.outcome.winner, withNames(match, shown.outcome.text)));
  } else if (mark) {
    setText(find("#verdict"), markText(match, mark, moveText(moves[version - 1])));
  } else {
    setText(find("#verdict"), shown.solution ? solutionText(match, shown.solution) : "");
  }
  setText(find("#lesson"), mark ? withNames(match, mark.sentence) : "");
}

function showList() {
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
 * @param {number} to
 * @param {Move[]} [line]
 */
function go(to, line = []) {
  version = Math.max(0, Math.min(to, moves.length));
  tried = line;
  show();
}

function back() {
  if (tried.length) go(version, tried.slice(0, -1));
  else go(version - 1);
}

/**
 * A number was touched: try it, or walk on if it is what was played.
 * @param {Move} move
 */
async function pick(move) {
  const shown = await position();
  if (!shown.legal.includes(move)) {
    setText(find("#verdict"), withNames(match, shown.why[String(move)] ?? "") || playedAlready(move));
    setText(find("#lesson"), "");
  } else if (!tried.length && moves[version]?.move === move) {
    go(version + 1);
  } else {
    go(version, [...tried, move]);
  }
}

function makeList() {
  for (const entry of moves) {
    const button = element("button", `seat-${entry.seat}`, moveText(entry));
    button.setAttribute("type", "button");
    button.addEventListener("click", () => go(entry.version));
    const item = element("li");
    item.append(button);
    find("#moves").append(item);
  }
}

/** @param {Review} found */
function take(found) {
  review = found;
  setText(find("#summary"), withNames(match, found.summary));
  find("#accuracy").replaceChildren(
    ...found.accuracy.map((each, index) => {
      const seat = /** @type {Seat} */ (index + 1);
      return element("p", `seat-${seat}`, accuracyText(match, seat, each));
    }),
  );
  find("#bar").replaceChildren(...found.holders.map((holder, index) => barCell(holder, index, found.turning_point)));
  for (const [index, item] of [...find("#moves").children].entries()) {
    const mark = found.marks[index];
    item.className = mark.kind;
    item.append(element("span", "symbol", SYMBOLS[mark.kind]));
    item.firstElementChild?.setAttribute("aria-label", markText(match, mark, moveText(moves[index])));
  }
  // Where the match turned is where there is most to see.
  go(found.turning_point ?? 0);
}

/**
 * @param {Seat | null} holder
 * @param {number} index
 * @param {number | null} turningPoint
 */
function barCell(holder, index, turningPoint) {
  const cell = element("button", holder ? `seat-${holder}` : "");
  cell.setAttribute("type", "button");
  cell.classList.toggle("turning-point", index === turningPoint);
  cell.setAttribute("aria-label", holderText(match, index, holder));
  cell.addEventListener("click", () => go(index));
  return cell;
}

makeList();
show();
ask("/review/").then(take, (error) => setText(find("#summary"), error.message));
find("#first").addEventListener("click", () => go(0));
find("#previous").addEventListener("click", back);
find("#next").addEventListener("click", () => go(version + 1));
find("#back").addEventListener("click", () => go(version));
addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const steps = { ArrowLeft: back, ArrowRight: () => tried.length || go(version + 1), Home: () => go(0), End: () => go(moves.length) };
  const step = steps[/** @type {keyof steps} */ (event.key)];
  if (!step) return;
  event.preventDefault();
  step();
});
