// Players and spectators of the raw relay. It has no rules, so the players just take turns, and a
// match is as long as one between random players: five and a third moves on average.

import { WebSocket } from './websocket.mjs'

const MOVES = [1]
// The greeting is a single character. Everything else is an update.
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
