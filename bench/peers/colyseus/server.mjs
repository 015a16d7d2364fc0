// Number Tower Duel on Colyseus, which keeps matches in memory.
//
// By default it sends changes every 50 ms. Turn-based rooms can send them after every move instead:
// `patchRate = null` and `broadcastPatch()`.

import { Room, Server } from '@colyseus/core'
import { WebSocketTransport } from '@colyseus/ws-transport'
import { collectWhenAsked } from '../garbage.mjs'
import { legalMoves } from '../number-tower-duel.mjs'
import { Tower } from './tower.mjs'

const atOnce = process.argv[2] !== 'every-50-ms'

class NumberTowerDuel extends Room {
  // All seats are reserved before the first socket is opened, which takes a while.
  seatReservationTimeout = 120
  seats = []
  messages = {
    place(client, number) {
      const { state } = this
      const seat = this.seats.indexOf(client.sessionId) + 1
      if (state.winner || seat !== state.turn || this.seats.length < 2) return
      if (!legalMoves(state.tower).includes(number)) return
      state.tower.push(number)
      if (legalMoves(state.tower).length === 0) state.winner = seat
      else state.turn = 3 - seat
      if (atOnce) this.broadcastPatch()
    },
  }

  onCreate() {
    if (atOnce) this.patchRate = null
    this.state = new Tower()
    this.state.turn = 1
    this.state.winner = 0
  }

  onJoin(client, { watch }) {
    if (watch) return
    if (this.seats.length === 2) throw new Error('Both seats are taken.')
    this.seats.push(client.sessionId)
  }
}

collectWhenAsked()
const transport = new WebSocketTransport()
const server = new Server({ transport, greet: false })
server.define('number-tower-duel', NumberTowerDuel)
await server.listen(0, '127.0.0.1')
console.log(transport.server.address().port)
