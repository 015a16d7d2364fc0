// Number Tower Duel on boardgame.io, which keeps matches in memory.

import { INVALID_MOVE } from 'boardgame.io/dist/cjs/core.js'
import { Server } from 'boardgame.io/dist/cjs/server.js'
import { collectWhenAsked } from '../garbage.mjs'
import { legalMoves } from '../number-tower-duel.mjs'

const NumberTowerDuel = {
  name: 'number-tower-duel',
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ tower: [] }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    place: ({ G }, number) => {
      if (!legalMoves(G.tower).includes(number)) return INVALID_MOVE
      G.tower.push(number)
    },
  },
  endIf: ({ G, ctx }) => {
    if (legalMoves(G.tower).length === 0) return { winner: ctx.currentPlayer }
  },
}

collectWhenAsked()
const server = Server({ games: [NumberTowerDuel], origins: [] })
const { appServer } = await server.run({ port: { host: '127.0.0.1', port: 0 } })
console.log(appServer.address().port)
