// The systems under load: how matches of each come about, what they say, and how a move is put.
//
// A system has `address` of a match's websocket, and
//   prepare(base, count)   what is needed of `count` new matches before sockets open
//   headers(plan, seat)    with which a player's socket is opened
//   begins(plan, text)     the position to begin with, from the first text, or nothing yet
//   reads(match, seat, text)   { version, by, turn, legal, over }, or nothing if it is no update
//   move(position, id)     the text that makes a move in this position
//   heartbeat              what a waiting player sends, where the system has such a thing

const AT_ONCE = 32

export async function inParallel(items, work) {
  let next = 0
  const worker = async () => {
    while (next < items.length) await work(items[next++])
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

async function post(url, token, body = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && bearer(token)) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.json()
}

const bearer = (token) => ({ authorization: `Bearer ${token}` })

const pick = (list) => list[Math.floor(Math.random() * list.length)]

// Two guests play all matches: the server does not care, and the preparations take less time.
const guests = new Map()

const numgames = {
  async prepare(base, count) {
    if (!guests.has(base)) {
      guests.set(base, [await post(`${base}/api/guests/`), await post(`${base}/api/guests/`)])
    }
    const tokens = guests.get(base).map((guest) => guest.token)
    const plans = Array.from({ length: count }, () => ({ tokens }))
    await inParallel(plans, async (plan) => {
      const match = await post(`${base}/api/matches/`, tokens[0], {
        game: 'number-tower-duel',
        starts: 'me',
      })
      await post(`${base}/api/matches/${match.id}/join/`, tokens[1])
      plan.address = `${base.replace('http', 'ws')}/ws/match/${match.id}/`
    })
    return plans
  },
  headers: (plan, seat) => bearer(plan.tokens[seat - 1]),
  begins(plan, text) {
    const message = JSON.parse(text)
    return message.type === 'snapshot' ? message : null
  },
  reads(match, seat, text) {
    const message = JSON.parse(text)
    if (message.type === 'presence' || message.type === 'pong') return null
    if (message.type !== 'update') throw new Error(`Instead of an update came ${text}`)
    message.by = message.seat
    message.over = message.outcome !== null
    return message
  },
  move: ({ legal, version }, id) =>
    JSON.stringify({ type: 'move', move: pick(legal), version, id }),
  heartbeat: '{"type":"ping","version":0}',
}

// The raw relay knows no rules: its matches last as long as those of random players do, on average
// five moves and a third, and the players take turns.
let rawMatches = 0

const raw = {
  async prepare(base, count) {
    return Array.from({ length: count }, () => ({
      address: `${base.replace('http', 'ws')}/${++rawMatches}`,
      length: rawMatches % 3 ? 5 : 6,
    }))
  },
  headers: () => ({}),
  greets: false,
  begins: () => ({ version: 0, turn: 1 }),
  reads(match, seat) {
    const version = match.heard[seat - 1] + 1
    const by = version % 2 ? 1 : 2
    return { version, by, turn: 3 - by, over: version >= match.plan.length }
  },
  move: ({ version }, id) => `{"type":"move","move":6,"version":${version},"id":"${id}"}`,
}

export const systems = { numgames, raw }
