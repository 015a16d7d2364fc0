// Number Blossoms: two flowers with petals around a centre, and the pool between them.

import { element, shape } from "../say.js";
import { animateOnce, poolOf } from "../tiles.js";

/** @import { Board } from "../types.d.ts" */
/** @import { Pick } from "../tiles.js" */

/**
 * @param {HTMLElement} root
 * @param {any} first
 * @param {Pick} pick
 * @returns {Board}
 */
export function createBoard(root, first, pick) {
  const measure = element("p", "measure");
  const garden = element("div", "garden");
  root.append(measure, garden);
  const tiles = poolOf(root, "The number pool", first.pool, pick);

  return {
    draw(view) {
      const { blossoms, remaining, petals } = view.state;
      measure.textContent = `${petals} petals win. Petals ${blossoms[0].petals.length} : ${blossoms[1].petals.length}`;
      garden.replaceChildren(
        ...blossoms.map((/** @type {any} */ blossom, /** @type {number} */ index) => flower(blossom, index + 1, petals)),
      );
      const last = view.last.find((event) => event.type === "petal" || event.type === "centre");
      if (last) garden.children[Number(last.seat) - 1].querySelector(`[data-number="${last.number}"]`)?.classList.add("last");
      tiles.draw(view, new Set(remaining), null, (number) => `Number ${number}`);
    },
    animate(events) {
      for (const event of events) {
        const own = garden.children[Number(event.seat) - 1];
        if (event.type === "petal" || event.type === "centre") {
          animateOnce(own?.querySelector(`[data-number="${event.number}"]`), "grow");
        }
        if (event.type === "passed") animateOnce(own, "nod");
      }
    },
  };
}

/**
 * @param {{centre: number | null, petals: number[]}} blossom
 * @param {number} seat
 * @param {number} places
 */
function flower(blossom, seat, places) {
  const svg = shape("svg", { viewBox: "-60 -60 120 120", class: `flower seat-${seat}`, role: "img" });
  const grown = blossom.petals.join(", ") || "none";
  const centre = blossom.centre ?? "not chosen";
  svg.setAttribute("aria-label", `Player ${seat}'s blossom: centre ${centre}, petals ${grown}`);
  for (let place = 0; place < places; place += 1) {
    const angle = (place / places) * 360 - 90;
    const number = blossom.petals[place];
    const group = shape("g", { class: number === undefined ? "petal bud" : "petal", "data-number": number ?? "" });
    const turned = shape("g", { transform: `rotate(${angle})` });
    turned.append(shape("ellipse", { cx: 37, cy: 0, rx: 20, ry: places > 5 ? 12 : 16 }));
    group.append(turned);
    if (number !== undefined) {
      const radians = (angle * Math.PI) / 180;
      const at = { x: 39 * Math.cos(radians), y: 39 * Math.sin(radians), class: "numeral" };
      group.append(shape("text", at, number));
    }
    svg.append(group);
  }
  const middle = shape("g", {
    class: blossom.centre === null ? "centre bud" : "centre",
    "data-number": blossom.centre ?? "",
  });
  middle.append(shape("circle", { r: 18 }), shape("text", { x: 0, y: 0, class: "numeral" }, blossom.centre ?? "?"));
  svg.append(middle);
  return svg;
}
