// The lobby: matches that wait for somebody, and matches being played, as they change.

import { nameOfGame } from "../parts/boards.js";
import { SmallBoards, arrange, followLobby } from "../parts/small-boards.js";
import { element, find } from "../parts/dom.js";
import { WORDS, invitedBy } from "../words/say.js";

const small = new SmallBoards((match) => linkTo(match.id));

followLobby(({ open, live }) => {
  find("#lobby").hidden = false;
  find("#no-open").hidden = open.length > 0;
  arrange(find("#open"), open, openRow);
  find("#no-live").hidden = live.length > 0;
  find("#watch-all").hidden = live.length === 0;
  arrange(find("#live-matches"), live, (match) => small.make(match));
  small.draw(live);
});

/** @param {string} id */
function linkTo(id) {
  const link = /** @type {HTMLAnchorElement} */ (element("a", "row"));
  link.href = `/m/${id}/`;
  return link;
}

/** @param {any} match */
function openRow(match) {
  const item = element("li", "open-match");
  const link = linkTo(match.id);
  link.append(element("strong", "", nameOfGame(match.game)), element("span", "", invitedBy(match.name)));
  if (Object.keys(match.options).length) link.append(element("span", "hint", WORDS.larger));
  link.append(element("span", "go", WORDS.join));
  item.append(link);
  return item;
}
