// Measures fan-out: plays matches with many spectators, one after the other.

import { usage } from './usage.mjs'

// The longest possible match. All systems play it.
const LINE = [9, 3, 6, 2, 8, 4, 1, 5]
const LONGEST_WAIT = 60

export class Watch {
  constructor(matches, spectators) {
    this.matches = matches
    this.spectators = spectators
    this.heard = 0
    this.played = 0
    this.stopped = new Promise((resolve, reject) => {
      this.stop = resolve
      this.fails = reject
    })
  }

  async run(serverPids) {
    const timer = setTimeout(
      () => this.fails(new Error(`timed out after ${this.heard} deliveries`)),
      LONGEST_WAIT * 1000,
    )
    const [clock, before] = [performance.now(), usage(serverPids)]
    this.begin()
    await this.stopped
    const [took, after] = [(performance.now() - clock) / 1000, usage(serverPids)]
    clearTimeout(timer)
    return {
      deliveries: this.heard,
      seconds: took,
      usage: Object.fromEntries(Object.keys(after).map((key) => [key, after[key] - before[key]])),
    }
  }

  begin() {
    this.matches[this.played].players[0].move(LINE[0], 'w1')
  }

  hears(match, player, by) {
    const { version } = player
    if (player.seat !== by && version < LINE.length) player.move(LINE[version], `w${version + 1}`)
  }

  isHeard() {
    if (++this.heard % (LINE.length * this.spectators) !== 0) return
    this.played++
    if (this.played < this.matches.length) this.begin()
    else this.stop()
  }
}
