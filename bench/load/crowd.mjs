// Measures a crowd: plays one match slowly and notes when its players and its last spectator have
// each update. The spectators ping, as real ones do.

import { pause, usage } from './usage.mjs'

const LINE = [9, 3, 6, 2, 8, 4, 1, 5]
const LONGEST_WAIT = 20
const BEAT_EVERY = 2_500
const BEATS = 625

export class Crowd {
  constructor([match], spectators) {
    this.match = match
    this.spectators = spectators
    this.moves = []
  }

  async run(between, serverPids) {
    this.pids = serverPids
    let turn = 0
    const beating = setInterval(() => {
      turn = (turn + 1) % BEATS
      for (let n = turn; n < this.spectators.length; n += BEATS) this.spectators[n].beat()
    }, BEAT_EVERY / BEATS)
    try {
      for (const [version, number] of LINE.entries()) {
        await pause(between)
        await this.plays(version, number)
      }
    } finally {
      clearInterval(beating)
    }
    return { moves: this.moves }
  }

  async plays(version, number) {
    this.heard = 0
    this.players = 0
    const told = new Promise((resolve, reject) => {
      this.allTold = resolve
      this.fails = reject
    })
    const timer = setTimeout(
      () => this.fails(new Error(`only ${this.heard} spectators have the update`)),
      LONGEST_WAIT * 1000,
    )
    const before = usage(this.pids)
    this.sentAt = performance.now()
    this.match.players[version % 2].move(number, `c${version}`)
    await told
    clearTimeout(timer)
    const after = usage(this.pids)
    this.moves.push({
      players: this.playersAfter,
      last: this.lastAfter,
      server: 1000 * (after.server - before.server),
      generator: 1000 * (after.generator - before.generator),
    })
  }

  hears() {
    if (++this.players === 2) this.playersAfter = performance.now() - this.sentAt
    this.isDone()
  }

  isHeard() {
    if (++this.heard === this.spectators.length) this.lastAfter = performance.now() - this.sentAt
    this.isDone()
  }

  isDone() {
    if (this.players === 2 && this.heard === this.spectators.length) this.allTold()
  }
}
