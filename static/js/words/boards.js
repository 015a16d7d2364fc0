// What is written on boards and read out of them.

import { gettext } from "./translate.js";

/** What the parts of a board are called. */
export const PARTS = {
  tower: gettext("The tower, from the top"),
  blocks: gettext("Blocks that are left"),
  chain: gettext("The chain"),
  numbers: gettext("Numbers that are left"),
  pool: gettext("The number pool"),
  grid: gettext("The grid"),
  list: gettext("The list"),
};

/** What a board counts. */
export const MEASURE = {
  /** @param {number} count */
  left: (count) => gettext("{count} left", { count }),
  /** @param {number} height */
  height: (height) => gettext("Height {height}", { height }),
  /** @param {number} target */
  target: (target) => gettext("First to {target}", { target }),
  /** @param {number} seat */
  total: (seat) => gettext("Player {seat}'s total", { seat }),
  /** @type {(petals: number, one: number, two: number) => string} */
  petals: (petals, one, two) => gettext("{petals} petals win. Petals {one} : {two}", { petals, one, two }),
  /** @type {(seat: number, centre: number | null, petals: number[]) => string} */
  blossom: (seat, centre, petals) =>
    gettext("Player {seat}'s blossom: centre {centre}, petals {petals}", {
      seat,
      centre: centre ?? gettext("not chosen"),
      petals: petals.join(", ") || gettext("none"),
    }),
  /** @param {number} last */
  barsNothing: (last) => gettext("{last} blocks nothing", { last }),
  /** @param {number} last */
  bars: (last) => gettext("{last} blocks multiples of", { last }),
};

/** What a tile is. */
export const TILE = {
  /** @param {number} number */
  number: (number) => gettext("Number {number}", { number }),
  /** @param {number} number */
  block: (number) => gettext("Block {number}", { number }),
  /** @type {(number: number, factor: number) => string} */
  shares: (number, factor) => gettext("Number {number}, shares {factor}", { number, factor }),
  /** @param {number} number */
  crossedOff: (number) => gettext("{number}, crossed off", { number }),
  /** @type {(number: number, row: number, column: number) => string} */
  cell: (number, row, column) =>
    number ? gettext("{number} in row {row}, column {column}", { number, row, column }) : gettext("row {row}, column {column}, empty", { row, column }),
  /** @param {string} label */
  mayBePlayed: (label) => gettext("{label}, can be played", { label }),
};

/** Where a number has no prime factors. */
export const NO_FACTORS = gettext("no factor");
