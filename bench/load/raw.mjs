// Players and spectators of the raw relay, which knows no rules: the players take turns, and their
// matches last as long as those of random players do, on average five moves and a third.

import { WebSocket } from './websocket.mjs'

const MOVES = [1]
// Its greeting is a single character; everything else is an update.
const GREETING = 1
let matches = 0

export const prepare = async ([base], count) =>
  Array.from({ length: count }, () => ({
    address: `${base.replace('http', 'ws')}/${++matches}`,
    length: matches % 3 ? 5 : 6,
  }))

export class Player extends WebSocket {
  constructor(plan, seat, hears, breaks) {
    super(plan.address, {}, breaks)
    Object.assign(this, { seat, hears, length: plan.length, version: 0, legal: MOVES })
  }

  receives(data) {
    if (data.length === GREETING) return this.isReady()
    const by = (this.version++ % 2) + 1
    this.hears(this, by, this.version >= this.length)
  }

  move(number, id) {
    this.send(`{"type":"move","move":${number},"version":${this.version},"id":"${id}"}`)
  }
}

export class Spectator extends WebSocket {
  constructor(plan, hears, breaks) {
    super(plan.address, {}, breaks)
    this.hears = hears
  }

  receives(data) {
    if (data.length === GREETING) this.isReady()
    else this.hears()
  }
}
