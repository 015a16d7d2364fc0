// What several boards say of their numbers; what only one says is in its board.js.

import { gettext } from "./translate.js";

export const TILE = {
  /** @param {number} count */
  left: (count) => gettext("{count} left", { count }),
  /** @param {number} number */
  number: (number) => gettext("Number {number}", { number }),
  /** @param {string} label */
  mayBePlayed: (label) => gettext("{label}, can be played", { label }),
};

/** Where a number has no prime factors. */
export const NO_FACTORS = gettext("no factor");
