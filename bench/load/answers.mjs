// Measures answers: some connections that are kept open, each asking for one address again and again.

import { connect } from 'node:net'
import { pause, quiet, usage } from './usage.mjs'

const END_OF_HEAD = '\r\n\r\n'

export class Connection {
  // `headers` are those a browser would send besides the host.
  constructor(address, headers = {}) {
    const { hostname, port, host, pathname, search } = new URL(address)
    const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`)
    this.request = [`GET ${pathname}${search} HTTP/1.1`, ...lines, '', ''].join('\r\n')
    this.unread = []
    this.socket = connect({ host: hostname, port: Number(port), noDelay: true })
    this.socket.on('data', (bytes) => this.reads(bytes))
    this.socket.on('error', (error) => this.fails(error))
    this.socket.on('close', () => this.fails(new Error(`${address}: the server hung up`)))
  }

  // Resolves with the answer's head and body.
  ask() {
    this.socket.write(this.request)
    return new Promise((resolve, reject) => {
      this.answers = resolve
      this.fails = reject
    })
  }

  reads(bytes) {
    this.unread.push(bytes)
    const all = this.unread.length === 1 ? bytes : Buffer.concat(this.unread)
    this.unread = [all]
    const end = all.indexOf(END_OF_HEAD)
    if (end === -1) return
    const head = all.latin1Slice(0, end)
    const from = end + END_OF_HEAD.length
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)
    if (length === null || all.length < from + Number(length[1])) return
    this.unread = []
    if (head.startsWith('HTTP/1.1 200')) this.answers({ head, body: all.subarray(from) })
    else this.fails(new Error(`${this.request}\n${head}`))
  }

  end() {
    this.fails = () => {}
    this.socket.destroy()
  }

  fails() {}
}

export async function ask({ address, headers, connections, warmUp, seconds, serverPids }) {
  const open = Array.from({ length: connections }, () => new Connection(address, headers))
  const latencies = []
  let [isMeasuring, isEnding] = [false, false]
  const asking = open.map(async (connection) => {
    while (!isEnding) {
      const asked = performance.now()
      await connection.ask()
      if (isMeasuring) latencies.push(performance.now() - asked)
    }
  })
  const failed = Promise.race(asking)
  await Promise.race([pause(warmUp), failed])
  const [clock, before] = [performance.now(), usage(serverPids)]
  isMeasuring = true
  await Promise.race([pause(seconds), failed])
  isMeasuring = false
  const [took, after] = [(performance.now() - clock) / 1000, usage(serverPids)]
  isEnding = true
  await Promise.all(asking)
  for (const connection of open) connection.end()
  await quiet(serverPids)
  return {
    answers: latencies.length,
    seconds: took,
    latencies,
    usage: Object.fromEntries(Object.keys(after).map((key) => [key, after[key] - before[key]])),
  }
}
