// Players and spectators of this site, as described in `docs/protocol.md`.

import { WebSocket } from './websocket.mjs'

const EXPECTED = new Set(['me', 'presence', 'snapshot'])
const UPDATE = Buffer.from('{"type":"update"')

// `bench/matches.py` has created the matches, because over HTTP this would take minutes.
export const prepare = async (bases, count, { ids, tokens }) =>
  ids.map((id) => ({
    tokens,
    // With two processes, each player is on a different one.
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
      // A snapshot already included it.
      if (message.version <= this.version) return
      this.version = message.version
      this.legal = message.legal
      this.hears(this, message.seat, message.outcome !== null)
    } else if (message.type === 'pong' && message.version <= this.version) {
      this.answered?.()
    } else if (message.type === 'snapshot' && this.version === undefined) {
      this.version = message.version
      this.legal = message.legal
      this.isReady()
    } else if (message.type === 'snapshot' && message.version > this.version) {
      // This process saw the move in the database before the other one's message arrived.
      this.version = message.version
      this.legal = message.legal
      this.hears(this, message.history.at(-1).seat, message.outcome !== null)
    } else if (message.version > this.version || !EXPECTED.has(message.type)) {
      throw new Error(`expected an update, got ${data}`)
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
    // They come before the first move.
    this.version = 0
  }

  receives(data) {
    if (data.subarray(0, UPDATE.length).equals(UPDATE)) {
      this.version++
      this.hears()
    } else this.isReady()
  }

  beat() {
    this.send(`{"type":"ping","version":${this.version}}`)
  }
}
