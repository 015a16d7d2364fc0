// Players and spectators of this site, as `docs/protocol.md` has it.

import { WebSocket } from './websocket.mjs'

const EXPECTED = new Set(['presence', 'pong', 'snapshot'])
const UPDATE = Buffer.from('{"type":"update"')

// Matches are made beside the server (`bench/matches.py`): over HTTP they would take minutes.
export const prepare = async (bases, count, { ids, tokens }) =>
  ids.map((id) => ({
    tokens,
    // With several processes the two players are on two of them.
    addresses: [0, 1].map((n) => `${bases[n % bases.length].replace('http', 'ws')}/ws/match/${id}/`),
  }))

export class Player extends WebSocket {
  constructor(plan, seat, hears, breaks) {
    super(plan.addresses[seat - 1], { authorization: `Bearer ${plan.tokens[seat - 1]}` }, breaks)
    this.seat = seat
    this.hears = hears
  }

  receives(data) {
    const message = JSON.parse(data.latin1Slice())
    if (message.type === 'update') {
      // Known from a snapshot.
      if (message.version <= this.version) return
      this.version = message.version
      this.legal = message.legal
      this.hears(this, message.seat, message.outcome !== null)
    } else if (message.type === 'snapshot' && this.version === undefined) {
      this.version = message.version
      this.legal = message.legal
      this.isReady()
    } else if (message.type === 'snapshot' && message.version > this.version) {
      // A process that has compared with the database before the other one's message came.
      this.version = message.version
      this.legal = message.legal
      this.hears(this, message.history.at(-1).seat, message.outcome !== null)
    } else if (message.version > this.version || !EXPECTED.has(message.type)) {
      throw new Error(`instead of an update came ${data}`)
    }
  }

  move(number, id) {
    this.send(`{"type":"move","move":${number},"version":${this.version},"id":"${id}"}`)
  }

  beat() {
    this.send(`{"type":"ping","version":${this.version}}`)
  }
}

export class Spectator extends WebSocket {
  constructor(plan, hears, breaks) {
    super(plan.addresses[0], {}, breaks)
    this.hears = hears
  }

  receives(data) {
    if (data.subarray(0, UPDATE.length).equals(UPDATE)) this.hears()
    else this.isReady()
  }
}
