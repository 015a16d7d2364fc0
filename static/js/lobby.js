// The lobby: matches that wait for somebody, and matches being played, as they change.

import { BOARDS } from "./boards.js";
import { connect } from "./connect.js";
import { element, find } from "./say.js";

/** @type {Record<string, string>} */
const names = JSON.parse(find("#game-names").textContent ?? "{}");
/** Boards by match, so that a change is drawn and not built anew. @type {Map<string, {card: HTMLElement, draw: (entry: any) => void}>} */
const cards = new Map();

connect("/ws/lobby/", {
  message(message) {
    if (message.type !== "lobby") return;
    showOpen(message.open);
    showLive(message.live);
  },
  connection(connected) {
    find("#lobby-connection").textContent = connected ? "" : "No connection. Trying again…";
  },
});

/** @param {any[]} matches */
function showOpen(matches) {
  find("#no-open").hidden = matches.length > 0;
  arrange(find("#open"), matches, openRow);
}

/** @param {any[]} matches */
function showLive(matches) {
  find("#no-live").hidden = matches.length > 0;
  for (const id of [...cards.keys()]) {
    if (!matches.some((match) => match.id === id)) cards.delete(id);
  }
  arrange(find("#live-matches"), matches, (match) => {
    const made = liveCard(match);
    cards.set(match.id, made);
    return made.card;
  });
  for (const match of matches) cards.get(match.id)?.draw(match);
}

/**
 * Bring a list up to date and leave alone what stays: a finger may be on it.
 * @param {HTMLElement} list
 * @param {any[]} matches
 * @param {(match: any) => HTMLElement} make
 */
function arrange(list, matches, make) {
  const known = new Map([...list.children].map((item) => [/** @type {HTMLElement} */ (item).dataset.id, item]));
  for (const [id, item] of known) {
    if (!matches.some((match) => match.id === id)) item.remove();
  }
  for (const [index, match] of matches.entries()) {
    const item = known.get(match.id) ?? make(match);
    /** @type {HTMLElement} */ (item).dataset.id = match.id;
    if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null);
  }
}

/** @param {any} match */
function openRow(match) {
  const item = element("li", "open-match");
  const link = /** @type {HTMLAnchorElement} */ (element("a", "row"));
  link.href = `/m/${match.id}/`;
  link.append(element("strong", "", names[match.game]), element("span", "", `with ${match.name}`));
  if (Object.keys(match.options).length) link.append(element("span", "hint", "larger"));
  link.append(element("span", "go", "Join"));
  item.append(link);
  return item;
}

/** @param {any} match */
function liveCard(match) {
  const card = element("li", "live-match");
  const link = /** @type {HTMLAnchorElement} */ (element("a", "row"));
  link.href = `/m/${match.id}/`;
  const title = element("strong", "", names[match.game]);
  const players = element("span", "hint");
  link.append(title, players);
  const root = element("div", `mini ${match.game}`);
  // A picture of the board: nothing in it can be focused, touched, or read out.
  root.setAttribute("inert", "");
  root.setAttribute("aria-hidden", "true");
  card.append(link, root);
  const board = BOARDS[match.game](root, match.state, () => {});
  return {
    card,
    /** @param {any} now */
    draw(now) {
      const watching = now.spectators ? `, ${now.spectators} watching` : "";
      players.textContent = `${now.players[1]?.name} and ${now.players[2]?.name}${watching}`;
      board.draw({ state: now.state, legal: new Set(), why: {}, turn: null, mine: false, pending: null, last: [] });
    },
  };
}
