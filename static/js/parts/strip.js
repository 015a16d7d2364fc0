// The strip at the top of the lobby: the reader's matches that go on, those that wait for them first.

import { classesOf, nameOfGame } from "./boards.js";
import { element } from "./dom.js";
import { updateList } from "./keyed-list.js";
import { MyMatches } from "./my-matches.js";
import { followMe } from "../net/me.js";
import { WORDS, nothingWaits, opponentOf } from "../words/mine.js";

/** @import { Mine } from "../types.d.ts" */

const MOST = 12;

/** @param {HTMLElement} list */
export function followStrip(list) {
  const matches = new MyMatches([]);
  followMe({
    onMessage(told) {
      matches.hear(told);
      const shown = ["your-turn", "waiting", "open"].flatMap((status) => matches.that(status)).slice(0, MOST);
      if (shown.length === 0) {
        list.replaceChildren(element("li", "hint", nothingWaits));
        return;
      }
      const items = shown.map((match) => ({ id: [match.id, match.status, match.opponent?.name].join(), match }));
      updateList(list, items, ({ match }) => createChip(match));
    },
  });
}

/** @param {Mine} match */
function createChip(match) {
  const item = element("li", classesOf(match.game));
  const link = /** @type {HTMLAnchorElement} */ (element("a", `chip ${match.status}`));
  link.href = `/m/${match.id}/`;
  link.append(element("strong", "", nameOfGame(match.game)), element("span", "hint", opponentOf(match)));
  if (match.status === "your-turn") link.prepend(element("span", "go", WORDS.yourTurn));
  item.append(link);
  return item;
}
