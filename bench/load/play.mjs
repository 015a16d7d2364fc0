// Measures moves: keeps a given number of matches going at once. Each player waits for the update
// before moving, and may think for a while first.

import { pause, usage } from './usage.mjs'

const LONGEST_DRAIN = 5
let moveNumber = 0

export class Play {
  // `matches` are the prepared ones; `thinking` is how many seconds a player takes on average.
  constructor(matches, atOnce, thinking) {
    this.prepared = [...matches].reverse()
    this.atOnce = atOnce
    this.thinking = thinking
    this.active = new Set()
    this.moves = 0
    this.latencies = []
    this.isMeasuring = false
    this.isEnding = false
    this.stopped = new Promise((resolve) => (this.stop = resolve))
    this.drained = new Promise((resolve) => (this.isDrained = resolve))
  }

  async run(warmUp, seconds, mostMoves, serverPids) {
    this.mostMoves = mostMoves
    for (let n = 0; n < this.atOnce; n++) this.begin()
    await Promise.race([pause(warmUp), this.stopped])
    const [clock, before] = [performance.now(), usage(serverPids)]
    this.isMeasuring = true
    await Promise.race([pause(seconds), this.stopped])
    this.isMeasuring = false
    const [took, after] = [(performance.now() - clock) / 1000, usage(serverPids)]
    await this.drain()
    return {
      moves: this.moves,
      seconds: took,
      latencies: this.latencies,
      ranOut: this.prepared.length === 0,
      usage: Object.fromEntries(Object.keys(after).map((key) => [key, after[key] - before[key]])),
    }
  }

  async drain() {
    this.isEnding = true
    if (!this.haveAllHeard()) await Promise.race([this.drained, pause(LONGEST_DRAIN)])
    if (this.error) throw this.error
    if (!this.haveAllHeard()) throw new Error('some players are still waiting for an update')
  }

  fails(error) {
    this.error ??= error
    this.stop()
    this.isDrained()
  }

  begin() {
    const match = this.prepared.pop()
    if (match === undefined) {
      // No matches left, so the load would drop from here on. Stop the clock.
      this.stop()
      return
    }
    this.active.add(match)
    this.movesSoon(match, match.players[0])
  }

  movesSoon(match, player) {
    if (this.thinking === 0) this.makesMove(match, player)
    else setTimeout(() => this.makesMove(match, player), this.thinking * 1000 * (0.5 + Math.random()))
  }

  makesMove(match, player) {
    if (this.isEnding) return
    match.latest = player.version + 1
    player.sentAt = performance.now()
    player.move(player.legal[Math.floor(Math.random() * player.legal.length)], `m${++moveNumber}`)
  }

  hears(match, player, by, over) {
    if (player.seat === by && this.isMeasuring) {
      this.latencies.push(performance.now() - player.sentAt)
    }
    const haveBoth = match.players[2 - player.seat].version >= player.version
    if (haveBoth && this.isMeasuring && ++this.moves === this.mostMoves) this.stop()
    if (haveBoth && over) {
      this.active.delete(match)
      if (!this.isEnding) this.begin()
    } else if (!over && player.seat !== by) {
      this.movesSoon(match, player)
    }
    if (this.isEnding && this.haveAllHeard()) this.isDrained()
  }

  haveAllHeard() {
    for (const { players, latest } of this.active) {
      if (players.some((player) => player.version !== latest)) return false
    }
    return true
  }
}
