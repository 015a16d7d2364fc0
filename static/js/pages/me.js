// The reader's own matches: those that wait for them first, kept up to date.

import { Refused, call, isGuest } from "../net/api.js";
import { followMe } from "../net/me.js";
import { find, setText } from "../parts/dom.js";
import { MyMatches, showMatches } from "../parts/my-matches.js";
import { WORDS as COMMON, said } from "../words/say.js";
import { WORDS } from "../words/mine.js";
import { gameWords } from "../words/translate.js";

const STATUSES = ["your-turn", "waiting", "open", "finished"];

const own = JSON.parse(find("#own").textContent ?? "{}");
const matches = new MyMatches(own.matches);
const more = find("#more");
/** Where older matches are. @type {string | null} */
let next = own.next;

async function show() {
  // Why a match ended is in the words of its game.
  await Promise.all([...new Set(matches.that("finished").map(({ game }) => game))].map(gameWords));
  for (const status of STATUSES) {
    const section = find(`#${status}`);
    const found = matches.that(status);
    section.hidden = found.length === 0;
    showMatches(/** @type {HTMLElement} */ (section.querySelector("ul")), found, ask);
  }
  find("#no-matches").hidden = matches.byId.size > 0;
  more.hidden = next === null;
}

/** @type {import("../parts/my-matches.js").Ask} */
async function ask(path, data = {}) {
  try {
    await call("POST", path, data);
    setText(find("#me-news"), "");
    return true;
  } catch (error) {
    setText(find("#me-news"), error instanceof Refused ? said(null, error.sentence) : WORDS.failed);
    return false;
  }
}

more.addEventListener("click", async () => {
  if (next === null) return;
  more.toggleAttribute("disabled", true);
  try {
    const page = await call("GET", next);
    matches.add(page.matches);
    next = page.next;
    setText(find("#me-news"), "");
    await show();
  } catch {
    setText(find("#me-news"), WORDS.failed);
  }
  more.toggleAttribute("disabled", false);
});

show();
if (isGuest()) {
  followMe({
    onMessage(told) {
      matches.hear(told);
      show();
    },
    onConnection: (connected) => setText(find("#me-connection"), connected ? "" : COMMON.noConnection),
  });
}
