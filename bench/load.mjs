// The load generator: plays prepared matches as fast as the server answers, and takes the time.
//
// It is told what to do on standard input, a JSON object a line, and answers each with one on
// standard output: prepare (matches made, sockets open), play (the clock runs), close.

import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import WebSocket from 'ws'
import { inParallel, systems } from './systems.mjs'

const LONGEST_WAIT = 20_000
const BEAT_EVERY = 2_000
// The kernel counts time in hundredths of a second.
const TICKS = 100

let prepared = []
let opened = []
let play = null
const unused = new Map()
let moveNumber = 0

class Match {
  constructor(system, base, plan) {
    this.system = system
    this.base = base
    this.plan = plan
    this.position = null
    this.heard = [0, 0]
    this.sent = [0, 0]
    this.latest = 0
  }

  async open() {
    this.sockets = await Promise.all([1, 2].map((seat) => this.openSocket(seat)))
  }

  openSocket(seat) {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(this.plan.address, {
        headers: this.system.headers(this.plan, seat),
        perMessageDeflate: false,
        skipUTF8Validation: true,
        handshakeTimeout: LONGEST_WAIT,
      })
      const ready = (text) => {
        const position = this.system.begins(this.plan, text)
        if (!position) return
        this.position = position
        socket.isReady = true
        resolve(socket)
      }
      socket.on('message', (data) => {
        if (!socket.isReady) ready(data.toString())
        else if (play) play.hears(this, seat, data)
      })
      if (this.system.greets === false) socket.on('open', () => ready(''))
      socket.on('error', reject)
      socket.on('close', (code) => {
        reject(new Error(`A socket was closed with ${code}`))
        play?.fails(new Error(`A socket was closed with ${code} while it was played on`))
      })
    })
  }
}

class Play {
  constructor(atOnce) {
    this.atOnce = atOnce
    this.moves = 0
    this.bytes = 0
    this.latencies = []
    this.isMeasuring = false
    this.isEnding = false
    this.ranOut = false
    this.underWay = 0
    this.stopped = new Promise((resolve) => (this.stop = resolve))
    this.drained = new Promise((resolve) => (this.allHeard = resolve))
  }

  fails(error) {
    this.error ??= error
    this.stop()
    this.allHeard()
  }

  begin() {
    const match = prepared.pop()
    if (!match) {
      // The figures of a load that thins out would be worth nothing: the clock stops here.
      this.ranOut = true
      this.stop()
      return
    }
    this.underWay++
    this.move(match, match.position)
  }

  move(match, position) {
    match.latest = position.version + 1
    const text = match.system.move(position, `m${++moveNumber}`)
    match.sent[position.turn - 1] = performance.now()
    match.sockets[position.turn - 1].send(text)
  }

  hears(match, seat, data) {
    let update
    try {
      update = match.system.reads(match, seat, data.toString())
    } catch (error) {
      this.fails(error)
      return
    }
    if (!update) return
    if (update.by === seat && this.isMeasuring) {
      this.latencies.push(performance.now() - match.sent[seat - 1])
    }
    match.heard[seat - 1] = update.version
    const haveBoth = match.heard[2 - seat] >= update.version
    if (haveBoth && this.isMeasuring) {
      this.moves++
      this.bytes += data.length
    }
    if (!this.isEnding && !update.over && update.turn === seat) {
      this.move(match, update)
    } else if (haveBoth && (update.over || (this.isEnding && update.version === match.latest))) {
      this.underWay--
      if (!this.isEnding) this.begin()
      else if (this.underWay === 0) this.allHeard()
    }
  }

  async run(warmUp, seconds, serverPid) {
    for (let n = 0; n < this.atOnce; n++) this.begin()
    await Promise.race([pause(warmUp), this.stopped])
    const [clock, before] = [performance.now(), usage(serverPid)]
    this.isMeasuring = true
    await Promise.race([pause(seconds), this.stopped])
    this.isMeasuring = false
    const [took, after] = [(performance.now() - clock) / 1000, usage(serverPid)]
    this.isEnding = true
    if (this.underWay > 0) await Promise.race([this.drained, pause(2)])
    if (this.underWay > 0) this.fails(new Error(`${this.underWay} matches wait for an update`))
    if (this.error) throw this.error
    return {
      moves: this.moves,
      seconds: took,
      latencies: this.latencies,
      bytes: this.bytes,
      ranOut: this.ranOut,
      usage: Object.fromEntries(Object.keys(after).map((key) => [key, after[key] - before[key]])),
    }
  }
}

const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

// Seconds so far: of work of the server's process and of this one, and on each one's core, of all
// work and of waiting while the machine gave the core to somebody else.
function usage(serverPid) {
  const stat = readFileSync(`/proc/${serverPid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const own = process.cpuUsage()
  const [first, second] = readFileSync('/proc/stat', 'utf8').split('\n').slice(1, 3).map(busy)
  return {
    server: (Number(fields[11]) + Number(fields[12])) / TICKS,
    generator: (own.user + own.system) / 1e6,
    serverCore: first,
    generatorCore: second,
  }
}

function busy(line) {
  const [user, nice, system, , , irq, softirq, stolen] = line.split(/\s+/).slice(1).map(Number)
  return (user + nice + system + irq + softirq + stolen) / TICKS
}

function beat() {
  for (const match of opened) {
    if (match.system.heartbeat) match.sockets?.forEach((socket) => socket.send(match.system.heartbeat))
  }
}

const commands = {
  async prepare({ system, base, matches }) {
    // Matches that were prepared before and not begun are as good as new ones.
    const plans = unused.get(base) ?? []
    unused.delete(base)
    plans.push(...(await systems[system].prepare(base, Math.max(0, matches - plans.length))))
    opened = plans.map((plan) => new Match(systems[system], base, plan))
    const start = performance.now()
    // As real players do: who is silent for five seconds is shown as away, to everyone and in the
    // middle of the measurement.
    const beating = setInterval(beat, BEAT_EVERY)
    try {
      await inParallel(opened, (match) => match.open())
    } finally {
      clearInterval(beating)
    }
    prepared = [...opened].reverse()
    beat()
    await pause(0.3)
    return { opening: (performance.now() - start) / 1000 }
  },
  async play({ atOnce, warmUp, seconds, serverPid }) {
    play = new Play(atOnce)
    try {
      return await play.run(warmUp, seconds, serverPid)
    } finally {
      play = null
    }
  },
  async close() {
    for (const match of opened) for (const socket of match.sockets) socket.terminate()
    if (opened.length > 0) unused.set(opened[0].base, prepared.map((match) => match.plan))
    opened = prepared = []
    return {}
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const { command, ...options } = JSON.parse(line)
  try {
    console.log(JSON.stringify(await commands[command](options)))
  } catch (error) {
    console.log(JSON.stringify({ error: `${error.message} ${error.cause ?? ''}` }))
  }
}
