// Remembers on this device what was chosen for the last match: game, level, size, who starts, and pace.

const KEY = "choices";
const FOR_ALL_GAMES = ["starts", "level", "pace"];

/** @typedef {{game?: string, sizes?: Record<string, string>, [name: string]: any}} Choices */

/** @returns {Choices} */
function remembered() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
  } catch {
    // The browser blocks storage, or somebody wrote something else there.
    return {};
  }
}

/** @param {Choices} choices */
function remember(choices) {
  try {
    localStorage.setItem(KEY, JSON.stringify(choices));
  } catch {
    // The browser blocks storage.
  }
}

/**
 * Choose in every card what was chosen last, and mark the last game.
 * @param {Iterable<HTMLElement>} cards
 */
export function wireChoices(cards) {
  const choices = remembered();
  for (const card of cards) {
    const form = card.querySelector("form");
    const game = form?.querySelector("input[name=game]")?.getAttribute("value");
    if (!form || !game) continue;
    for (const name of FOR_ALL_GAMES) choose(form, name, choices[name]);
    choose(form, "size", choices.sizes?.[game]);
    showKept(form);
    /** @type {HTMLElement} */ (card.querySelector(".last-played")).hidden = choices.game !== game;
    form.addEventListener("submit", () => remember(chosenIn(form, game)));
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {unknown} value
 */
function choose(form, name, value) {
  const radios = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll(`input[name=${name}]`));
  const wanted = [...radios].find((radio) => radio.value === value);
  if (wanted) wanted.checked = true;
}

/**
 * The options are closed: say beside them if they differ from the usual ones.
 * @param {HTMLFormElement} form
 */
function showKept(form) {
  const radios = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[type=radio]"));
  const isUsual = [...radios].every((radio) => radio.checked === radio.defaultChecked);
  /** @type {HTMLElement} */ (form.querySelector(".kept")).hidden = isUsual;
}

/**
 * @param {HTMLFormElement} form
 * @param {string} game
 * @returns {Choices}
 */
function chosenIn(form, game) {
  const data = new FormData(form);
  const chosen = Object.fromEntries(FOR_ALL_GAMES.map((name) => [name, data.get(name)]));
  return { ...chosen, game, sizes: { ...remembered().sizes, [game]: String(data.get("size")) } };
}
