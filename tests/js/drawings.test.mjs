// The arithmetic behind the drawings.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { greatestCommonFactor, primeFactors } from "../../static/js/parts/drawings.js";

describe("prime factors", () => {
  for (const [number, factors] of [[1, []], [2, [2]], [7, [7]], [8, [2, 2, 2]], [12, [2, 2, 3]], [97, [97]], [100, [2, 2, 5, 5]]]) {
    test(`${number}: ${factors.join(" × ") || "none"}`, () => {
      assert.deepEqual(primeFactors(number), factors);
    });
  }

  test("the factors of every number multiply to it", () => {
    for (let number = 1; number <= 100; number += 1) {
      assert.equal(primeFactors(number).reduce((product, factor) => product * factor, 1), number);
    }
  });
});

describe("greatest common factor", () => {
  for (const [one, other, shared] of [[9, 6, 3], [6, 9, 3], [4, 8, 4], [5, 6, 1], [1, 9, 1], [7, 7, 7]]) {
    test(`${one} and ${other}: ${shared}`, () => {
      assert.equal(greatestCommonFactor(one, other), shared);
    });
  }
});
