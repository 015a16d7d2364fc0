// Players and spectators of boardgame.io: the lobby over HTTP, socket.io over one websocket.

import { inParallel, post } from '../../load/http.mjs'
import { WebSocket } from '../../load/websocket.mjs'
import { legalMoves } from '../number-tower-duel.mjs'

const GAME = 'number-tower-duel'
const EVENT = `42/${GAME},`
const UPDATE = Buffer.from(`${EVENT}["update"`)

export async function prepare([base], count) {
  const address = `${base.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`
  const plans = Array.from({ length: count }, () => ({ address }))
  await inParallel(plans, async (plan) => {
    const { matchID } = await post(`${base}/games/${GAME}/create`, { numPlayers: 2 })
    const joined = await Promise.all(
      ['0', '1'].map((playerID) =>
        post(`${base}/games/${GAME}/${matchID}/join`, { playerID, playerName: 'Guest' }),
      ),
    )
    plan.matchID = matchID
    plan.credentials = joined.map((one) => one.playerCredentials)
  })
  return plans
}

// Handles the socket.io handshake and pings.
class SocketIO extends WebSocket {
  receives(data) {
    const kind = data.subarray(0, 2).latin1Slice()
    if (kind === '42') this.receivesEvent(data)
    else if (kind === '2') this.send('3')
    else if (kind === '40') this.send(`${EVENT}${JSON.stringify(this.sync())}`)
    else if (kind === '0{') this.send(`40/${GAME},`)
    else throw new Error(`expected an event, got ${data}`)
  }
}

export class Player extends SocketIO {
  constructor({ address, matchID, credentials }, seat, hears, breaks) {
    super(address, {}, breaks)
    Object.assign(this, { matchID, seat, hears })
    this.playerID = String(seat - 1)
    this.credentials = credentials[seat - 1]
  }

  sync() {
    return ['sync', this.matchID, this.playerID, this.credentials, 2]
  }

  receivesEvent(data) {
    const [event, , content] = JSON.parse(data.latin1Slice(EVENT.length))
    if (event === 'update') {
      this.takes(content)
      this.hears(this, ((this.version - 1) % 2) + 1, content.ctx.gameover !== undefined)
    } else if (event === 'sync') {
      this.takes(content.state)
      this.isReady()
    }
  }

  takes({ G, _stateID }) {
    this.version = G.tower.length
    this.legal = legalMoves(G.tower)
    this.stateID = _stateID
  }

  move(number) {
    const { matchID, playerID, credentials, stateID } = this
    const action = {
      type: 'MAKE_MOVE',
      payload: { type: 'place', args: [number], playerID, credentials },
    }
    this.send(`${EVENT}${JSON.stringify(['update', action, stateID, matchID, playerID])}`)
  }
}

export class Spectator extends SocketIO {
  constructor({ address, matchID }, hears, breaks) {
    super(address, {}, breaks)
    Object.assign(this, { matchID, hears })
  }

  sync() {
    return ['sync', this.matchID, null, undefined, 2]
  }

  receivesEvent(data) {
    if (data.subarray(0, UPDATE.length).equals(UPDATE)) this.hears()
    else this.isReady()
  }
}
