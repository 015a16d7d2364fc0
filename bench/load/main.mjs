// The load generator. Reads commands from standard input, one JSON object per line, and answers each
// with one on standard output: `open` prepares matches and connects, `play`, `watch`, `crowd`,
// `probe`, `ask` and `arrive` measure, `close` disconnects.

import { createInterface } from 'node:readline'
import { ask } from './answers.mjs'
import { arrive } from './arrive.mjs'
import { Crowd } from './crowd.mjs'
import { inParallel } from './http.mjs'
import { Match } from './match.mjs'
import { Play } from './play.mjs'
import { Probe } from './probe.mjs'
import { pause, quiet } from './usage.mjs'
import { Watch } from './watch.mjs'

// Like real clients: a player who is silent for five seconds is shown as away.
const BEAT_EVERY = 2_500
// A few of them every millisecond, because independent clients don't ping in step: four of ten thousand.
const BEATS = 2_500

const clients = {
  numgames: './numgames.mjs',
  raw: './raw.mjs',
  'boardgame.io': '../peers/boardgame.io/client.mjs',
  colyseus: '../peers/colyseus/client.mjs',
}

let matches = []
let spectators = []
let pids = []
let running = null
let beating = null

const hears = (match, player, by, over) => running?.hears(match, player, by, over)
const isHeard = () => running?.isHeard()
const breaks = (error) => running?.fails(error)

function beatInTurns() {
  let turn = 0
  return setInterval(() => {
    turn = (turn + 1) % BEATS
    for (let n = turn; n < matches.length; n += BEATS) {
      for (const player of matches[n].players) if (player.version !== undefined) player.beat?.()
    }
  }, BEAT_EVERY / BEATS)
}

async function run(what, ...options) {
  running = what
  try {
    return await what.run(...options)
  } finally {
    running = null
  }
}

const commands = {
  ask,
  async open({ client, bases, serverPids, count, made, watching = 0 }) {
    const system = await import(clients[client])
    const plans = await system.prepare(bases, count, made, watching)
    pids = serverPids
    beating = beatInTurns()
    await inParallel(plans, async (plan) => {
      const match = new Match(system, plan, hears, breaks)
      matches.push(match)
      await match.ready
    })
    for (const plan of plans) {
      await inParallel(Array(watching).fill(plan), async () => {
        const spectator = new system.Spectator(plan, isHeard, breaks)
        spectators.push(spectator)
        await spectator.ready
      })
    }
    await pause(0.1)
    await quiet(pids)
    return {}
  },
  async play({ atOnce, thinking = 0, warmUp, seconds, mostMoves = Infinity }) {
    // If players move all the time, their moves count as heartbeats.
    if (thinking === 0) clearInterval(beating)
    return run(new Play(matches, atOnce, thinking), warmUp, seconds, mostMoves, pids)
  },
  // People arrive while the matches go on; `seconds` is how long these are measured.
  async arrive({ people, within, atOnce, thinking, warmUp, seconds }) {
    const play = run(new Play(matches, atOnce, thinking), warmUp, seconds, Infinity, pids)
    await pause(warmUp)
    const [played, arrived] = await Promise.all([play, arrive(people, within)])
    return { ...played, ...arrived }
  },
  async watch() {
    return run(new Watch(matches, spectators.length / matches.length), pids)
  },
  async crowd({ between }) {
    return run(new Crowd(matches, spectators), between, pids)
  },
  async probe({ seconds }) {
    clearInterval(beating)
    return run(new Probe(matches), seconds)
  },
  async close() {
    clearInterval(beating)
    for (const socket of [...spectators, ...matches.flatMap((match) => match.players)]) socket.end()
    matches = []
    spectators = []
    await quiet(pids)
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
