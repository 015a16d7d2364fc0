// Drawings that explain why a number doesn't fit: a remainder, a shared factor, no shared factor.

import { shape } from "./dom.js";
import { NO_FACTORS } from "../words/boards.js";

const WIDTH = 240;

/**
 * @param {number} height
 * @param {number} [width]
 */
function sheet(height, width = WIDTH) {
  return shape("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "drawing", "aria-hidden": "true" });
}

/**
 * The larger number divided by the smaller one, with the remainder that is left over.
 * @param {number} one
 * @param {number} other
 */
export function drawRemainder(one, other) {
  const [smaller, larger] = one < other ? [one, other] : [other, one];
  const rest = larger % smaller;
  const unit = Math.min(22, WIDTH / larger);
  const svg = sheet(48, larger * unit);
  for (let at = 0; at < larger; at += 1) {
    const isRest = at >= larger - rest;
    svg.append(shape("rect", { x: at * unit + 1, y: 1, width: Math.max(unit - 2, 1), height: 18, rx: Math.min(4, unit / 4), class: isRest ? "rest" : "whole" }));
  }
  for (let at = 0; at < larger; at += smaller) {
    const size = Math.min(smaller, larger - at);
    const [start, end] = [at * unit + 2, (at + size) * unit - 2];
    svg.append(shape("path", { d: `M${start} 23v4H${end}v-4`, class: size === smaller ? "bracket" : "bracket rest" }));
    svg.append(shape("text", { x: (start + end) / 2, y: 44, class: size === smaller ? "" : "rest" }, size));
  }
  return svg;
}

/**
 * Two numbers as products, one below the other, with the factor they share.
 * @param {number} one
 * @param {number} other
 * @param {number} factor
 */
export function drawSharedFactor(one, other, factor) {
  const svg = sheet(72, 170);
  svg.append(shape("path", { d: "M85 18v36", class: "tie" }));
  for (const [row, number] of [one, other].entries()) {
    const y = 18 + 36 * row;
    svg.append(shape("text", { x: 34, y }, number), shape("text", { x: 60, y }, "="));
    svg.append(shape("circle", { cx: 85, cy: y, r: 14, class: "rest" }), shape("text", { x: 85, y, class: "on" }, factor));
    if (number !== factor) svg.append(shape("text", { x: 110, y }, "×"), shape("text", { x: 134, y }, number / factor));
  }
  return svg;
}

/**
 * Two numbers as products of primes: no prime is in both rows.
 * @param {number} one
 * @param {number} other
 */
export function drawNoSharedFactor(one, other) {
  const svg = sheet(72, 200);
  for (const [row, number] of [one, other].entries()) {
    const y = 18 + 36 * row;
    svg.append(shape("text", { x: 24, y }, number), shape("text", { x: 52, y }, "="));
    const factors = primeFactors(number);
    for (const [index, factor] of factors.entries()) {
      const x = 84 + 40 * index;
      if (index) svg.append(shape("text", { x: x - 20, y }, "×"));
      svg.append(shape("circle", { cx: x, cy: y, r: 14, class: row ? "ring" : "whole" }));
      svg.append(shape("text", { x, y, class: row ? "" : "on" }, factor));
    }
    if (!factors.length) svg.append(shape("text", { x: 124, y }, NO_FACTORS));
  }
  return svg;
}

/**
 * Prime factors, smallest first.
 * @param {number} number
 */
export function primeFactors(number) {
  const found = [];
  for (let factor = 2; number > 1; factor += 1) {
    while (number % factor === 0) {
      found.push(factor);
      number /= factor;
    }
  }
  return found;
}

/**
 * The greatest common factor of two numbers, by Euclid's algorithm.
 * @param {number} one
 * @param {number} other
 * @returns {number}
 */
export function greatestCommonFactor(one, other) {
  return other === 0 ? one : greatestCommonFactor(other, one % other);
}
