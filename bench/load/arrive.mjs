// Measures arrivals: people open a match's page and connect to it, while others play.

import { Connection } from './answers.mjs'
import { Player, Spectator } from './numgames.mjs'
import { pause } from './usage.mjs'

// What a browser sends. It has the static files already.
const HEADERS = { accept: 'text/html', 'accept-encoding': 'gzip', 'accept-language': 'en' }

// Each person comes at a random moment of this many seconds. Returns how long each waited for the
// page and until connected, and when the last one was, all in milliseconds since the first came.
export async function arrive(people, seconds) {
  const began = performance.now()
  const sockets = []
  try {
    const waited = await Promise.all(
      people.map(async ({ page, socket, token }) => {
        await pause(seconds * Math.random())
        const came = performance.now()
        const connection = new Connection(page, { ...HEADERS, cookie: `guest=${token}` })
        await connection.ask()
        const hasPage = performance.now()
        connection.end()
        const plan = { tokens: [token], addresses: [socket] }
        const ignored = () => {}
        const joined = token ? new Player(plan, 1, ignored, ignored) : new Spectator(plan, ignored, ignored)
        sockets.push(joined)
        await joined.ready
        const isConnected = performance.now()
        return [hasPage - came, isConnected - came, isConnected - began]
      }),
    )
    const [pages, connected, all] = [0, 1, 2].map((n) => waited.map((one) => one[n]))
    return { pages, connected, last: Math.max(...all) }
  } finally {
    for (const socket of sockets) socket.end()
  }
}
