// Number Blossoms: two flowers whose petals open around a centre, and the pool between them.

import { blink, grow, shake } from "../../js/parts/animate.js";
import { drawNoSharedFactor, greatestCommonFactor } from "../../js/parts/drawings.js";
import { element, refill, setText, shape } from "../../js/parts/dom.js";
import { TILE } from "../../js/words/boards.js";
import { gettext } from "../../js/words/translate.js";
import { poolOf } from "../../js/parts/tiles.js";

/** @import { BoardModule, CreateBoard } from "../../js/types.d.ts" */

/** @typedef {{centre: number | null, petals: number[]}} Blossom */

// Player 1's petals are round, Player 2's pointed; both lie along the x axis.
const PETALS = {
  1: "M15 0C22-26 63-26 63 0S22 26 15 0Z",
  2: "M13 0Q28-28 66 0Q28 28 13 0Z",
};

/** @type {BoardModule["nextMove"]} */
export function nextMove({ blossoms, turn }) {
  const { centre } = blossoms[turn - 1];
  if (centre === null) return [gettext("Choose a centre."), gettext("Next: a centre.")];
  return [gettext("Add a petal that shares a factor with {centre}.", { centre }), gettext("Next: a petal that shares a factor with {centre}.", { centre })];
}

/** @type {BoardModule["told"]} */
export const told = {
  centre: () => [gettext("You chose {number} as the centre."), gettext("{player} chose {number} as the centre.")],
  petal: () => [gettext("You added petal {number}."), gettext("{player} added petal {number}.")],
  passed: () => [gettext("You had to pass."), gettext("{player} had to pass.")],
};

/** @type {CreateBoard} */
export function createBoard(root, first, pick) {
  const measure = element("p", "measure");
  const garden = element("div", "figure garden");
  root.append(measure, garden);
  const tiles = poolOf(root, "pool", gettext("The number pool"), first.pool, pick);
  /** @type {Blossom | null} */
  let own = null;
  let turn = 1;

  return {
    draw(view) {
      const { blossoms, remaining, petals } = view.state;
      turn = view.state.turn;
      own = blossoms[turn - 1];
      const [one, two] = blossoms.map((/** @type {Blossom} */ blossom) => blossom.petals.length);
      setText(measure, gettext("{petals} petals win. Petals {one} : {two}", { petals, one, two }));
      const last = view.last.find((event) => event.type === "petal" || event.type === "centre");
      refill(garden, JSON.stringify([blossoms, last, view.turn]), () =>
        blossoms.map((/** @type {Blossom} */ blossom, /** @type {number} */ index) => flower(blossom, index === 0 ? 1 : 2, petals)),
      );
      if (view.turn) garden.children[turn - 1].querySelector(own?.centre ? ".petal.bud" : ".centre")?.classList.add("slot");
      if (last) pieceOf(Number(last.seat), Number(last.number))?.classList.add("last");
      tiles.draw(view, new Set(remaining), null, TILE.number);
    },
    animate(events) {
      for (const event of events) {
        if (event.type === "petal" || event.type === "centre") grow(pieceOf(Number(event.seat), Number(event.number)));
        if (event.type === "passed") blink(garden.children[Number(event.seat) - 1]);
      }
    },
    explain(move) {
      if (!own?.centre) return null;
      shake(garden.children[turn - 1]);
      return drawNoSharedFactor(own.centre, Number(move));
    },
  };

  /**
   * @param {number} seat
   * @param {number} number
   */
  function pieceOf(seat, number) {
    return garden.children[seat - 1]?.querySelector(`[data-number="${number}"]`);
  }
}

/**
 * What a flower is for somebody who cannot see it.
 * @param {Blossom} blossom
 * @param {1 | 2} seat
 */
function describe({ centre, petals }, seat) {
  return gettext("Player {seat}'s blossom: centre {centre}, petals {petals}", {
    seat,
    centre: centre ?? gettext("not chosen"),
    petals: petals.join(", ") || gettext("none"),
  });
}

/**
 * @param {Blossom} blossom
 * @param {1 | 2} seat
 * @param {number} places
 */
function flower(blossom, seat, places) {
  const svg = shape("svg", { viewBox: "-68 -68 136 136", class: `flower seat-${seat}`, role: "img" });
  svg.setAttribute("aria-label", describe(blossom, seat));
  for (let place = 0; place < places; place += 1) {
    svg.append(petal(seat, blossom.petals[place], blossom.centre, (place / places) * 360 - 90, places));
  }
  const middle = shape("g", { class: blossom.centre === null ? "centre bud" : "centre", "data-number": blossom.centre ?? "" });
  middle.append(seat === 1 ? shape("circle", { r: 19, class: "shape" }) : shape("rect", { x: -17, y: -17, width: 34, height: 34, rx: 6, class: "shape" }));
  middle.append(shape("text", { x: 0, y: 0, class: "numeral" }, blossom.centre ?? "?"));
  svg.append(middle);
  return svg;
}

/**
 * @param {1 | 2} seat
 * @param {number | undefined} number
 * @param {number | null} centre
 * @param {number} angle
 * @param {number} places
 */
function petal(seat, number, centre, angle, places) {
  const group = shape("g", { class: number === undefined ? "petal bud" : "petal", "data-number": number ?? "" });
  const turned = shape("g", { transform: `rotate(${angle}) scale(1, ${places > 5 ? 0.7 : 1})` });
  turned.append(shape("path", { d: PETALS[seat], class: "shape" }));
  group.append(turned);
  if (number === undefined) return group;
  const radians = (angle * Math.PI) / 180;
  const at = (/** @type {number} */ far) => ({ x: far * Math.cos(radians), y: far * Math.sin(radians) });
  group.append(shape("text", { ...at(46), class: "numeral" }, number));
  if (!centre || places > 5) return group;
  // The factor it shares with the centre, where the two meet.
  const { x: cx, y: cy } = at(25);
  group.append(shape("circle", { cx, cy, r: 7.5, class: "joining" }));
  group.append(shape("text", { ...at(25), class: "numeral shared" }, greatestCommonFactor(number, centre)));
  return group;
}
