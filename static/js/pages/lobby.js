// The lobby: open invitations and live matches, kept up to date.

import { isGuest } from "../net/api.js";
import { followLobby } from "../net/lobby.js";
import { nameOfGame } from "../parts/boards.js";
import { wireChoices } from "../parts/choices.js";
import { element, find } from "../parts/dom.js";
import { updateList } from "../parts/keyed-list.js";
import { SmallBoards, loadBoards, showLobbyConnection } from "../parts/small-boards.js";
import { WORDS, invitedBy } from "../words/say.js";

wireChoices(document.querySelectorAll(".cards > .card"));

const strip = document.querySelector("#strip ul");
if (strip && isGuest()) import("../parts/strip.js").then(({ followStrip }) => followStrip(/** @type {HTMLElement} */ (strip)));

const smallBoards = new SmallBoards((match) => linkTo(match.id));

followLobby({
  prepare: loadBoards,
  show({ open, live }) {
    find("#lobby").hidden = false;
    find("#no-open").hidden = open.length > 0;
    updateList(find("#open"), open, createInvitation);
    find("#no-live").hidden = live.length > 0;
    find("#watch-all").hidden = live.length === 0;
    updateList(find("#live-matches"), live, (match) => smallBoards.createCard(match));
    smallBoards.draw(live);
  },
  onConnection: showLobbyConnection,
});

/** @param {string} id */
function linkTo(id) {
  const link = /** @type {HTMLAnchorElement} */ (element("a", "row"));
  link.href = `/m/${id}/`;
  return link;
}

/** @param {any} match */
function createInvitation(match) {
  const item = element("li", "open-match");
  const link = linkTo(match.id);
  link.append(element("strong", "", nameOfGame(match.game)), element("span", "", invitedBy(match.name)));
  if (Object.keys(match.options).length) link.append(element("span", "hint", WORDS.larger));
  link.append(element("span", "go", WORDS.join));
  item.append(link);
  return item;
}
