// The rules of Number Tower Duel, for the peers' servers and for the load generator.

export const POOL = 9

const NUMBERS = Array.from({ length: POOL }, (_, index) => index + 1)

const FITTING = [
  NUMBERS,
  ...NUMBERS.map((last) =>
    NUMBERS.filter((number) => number !== last && (number % last === 0 || last % number === 0)),
  ),
]

// The numbers that can go on the tower. If there are none, the player to move has lost.
export const legalMoves = (tower) =>
  FITTING[tower.at(-1) ?? 0].filter((number) => !tower.includes(number))
