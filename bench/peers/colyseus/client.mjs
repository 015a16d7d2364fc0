// Players and spectators of Colyseus: reserve seats over HTTP, then receive binary state patches.

import { Decoder } from '@colyseus/schema'
import { inParallel, post } from '../../load/http.mjs'
import { WebSocket } from '../../load/websocket.mjs'
import { legalMoves } from '../number-tower-duel.mjs'
import { Tower } from './tower.mjs'

const GAME = 'number-tower-duel'
const [JOIN_ROOM, ROOM_DATA, ROOM_STATE, ROOM_STATE_PATCH] = [10, 13, 14, 15]
const JOINED = Buffer.from([JOIN_ROOM])
// A short string in MessagePack: a marker with the length, then the characters.
const PLACE = Buffer.from([ROOM_DATA, 0xa0 | 'place'.length, ...Buffer.from('place'), 0])

// The websocket address for a reserved seat.
const addressOf = (base, { roomId, processId, sessionId }) =>
  `${base.replace('http', 'ws')}/${processId}/${roomId}?sessionId=${sessionId}`

export async function prepare([base], count, made, spectators) {
  const plans = Array.from({ length: count }, () => ({ spectators: [] }))
  await inParallel(plans, async (plan) => {
    const first = await post(`${base}/matchmake/create/${GAME}`, {})
    const join = (options) => post(`${base}/matchmake/joinById/${first.roomId}`, options)
    plan.players = [first, await join({})].map((seat) => addressOf(base, seat))
    await inParallel(Array(spectators).fill({ watch: true }), async (options) =>
      plan.spectators.push(addressOf(base, await join(options))),
    )
  })
  return plans
}

class Client extends WebSocket {
  receives(data) {
    if (data[0] === ROOM_STATE_PATCH) this.receivesPatch(data)
    else if (data[0] === JOIN_ROOM) this.sendBytes(JOINED)
    else if (data[0] === ROOM_STATE) this.receivesState(data)
    else throw new Error(`expected a patch, got ${data.hexSlice()}`)
  }
}

export class Player extends Client {
  constructor(plan, seat, hears, breaks) {
    super(plan.players[seat - 1], {}, breaks)
    Object.assign(this, { seat, hears })
    this.decoder = new Decoder(new Tower())
  }

  receivesState(data) {
    this.takes(data)
    this.isReady()
  }

  receivesPatch(data) {
    this.takes(data)
    this.hears(this, ((this.version - 1) % 2) + 1, this.decoder.state.winner !== 0)
  }

  takes(data) {
    this.decoder.decode(data, { offset: 1 })
    const { tower } = this.decoder.state
    this.version = tower.length
    this.legal = legalMoves(tower)
  }

  move(number) {
    PLACE[PLACE.length - 1] = number
    this.sendBytes(PLACE)
  }
}

export class Spectator extends Client {
  constructor(plan, hears, breaks) {
    super(plan.spectators.pop(), {}, breaks)
    this.hears = hears
  }

  receivesState() {
    this.isReady()
  }

  receivesPatch() {
    this.hears()
  }
}
