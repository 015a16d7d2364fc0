// Measures pauses: pings the server all the time and remembers how long it took to answer.

import { pause } from './usage.mjs'

const EVERY = 5

export class Probe {
  // The sockets take turns, because a server closes one that sends this much.
  constructor(matches) {
    this.players = matches.flatMap((match) => match.players)
    this.waiting = 0
    this.times = []
    for (const player of this.players) {
      player.answered = () => {
        this.waiting--
        this.times.push(performance.now() - player.askedAt)
      }
    }
  }

  async run(seconds) {
    let turn = 0
    const timer = setInterval(() => {
      const player = this.players[turn++ % this.players.length]
      player.askedAt = performance.now()
      this.waiting++
      player.beat()
    }, EVERY)
    await Promise.race([pause(seconds), this.broken()])
    clearInterval(timer)
    const until = performance.now() + 5000
    while (this.waiting && performance.now() < until) await pause(0.01)
    return { times: this.times }
  }

  broken() {
    return new Promise((_, reject) => (this.fails = reject))
  }

  hears() {}
}
