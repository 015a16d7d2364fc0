// A minimal websocket client for load tests: whole messages to and from a well-behaved server.
//
// The generator must never be the bottleneck. A message costs this client about half the CPU time
// that the `ws` package needs.

import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'

const LONGEST_WAIT = 20_000
const TEXT = 0x81
const BINARY = 0x82
const [CLOSE, PING] = [0x8, 0x9]
const PONG = 0x8a
// Shared by all sockets, because each read is handled before the next one.
const READ_INTO = Buffer.allocUnsafe(256 * 1024)
const END_OF_HEAD = '\r\n\r\n'

// A subclass handles the bytes of a message in `receives`; they are only valid during the call. It
// calls `isReady` when it has received what the server sends first.
export class WebSocket {
  // `breaks` is called with an error if the socket closes, unless we closed it with `end`.
  constructor(address, headers, breaks) {
    this.isOpen = false
    this.unread = null
    this.ready = new Promise((resolve, reject) => {
      this.isReady = () => {
        // From now on, long silences are normal.
        this.socket.setTimeout(0)
        resolve()
      }
      this.isBroken = (error) => (reject(error), breaks(error))
    })
    const { hostname, port, pathname, search } = new URL(address)
    this.socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: { buffer: READ_INTO, callback: (count, buffer) => this.reads(count, buffer) },
    })
    this.socket.setTimeout(LONGEST_WAIT, () => this.socket.destroy(new Error('timed out')))
    let reason = new Error('closed without a reason')
    this.socket.on('error', (error) => (reason = error))
    this.socket.on('close', () => {
      if (!this.isEnded) this.isBroken(new Error(`${address}: ${reason.message}`))
    })
    const lines = Object.entries({
      host: `${hostname}:${port}`,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': 13,
      'sec-websocket-key': randomBytes(16).toString('base64'),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`)
    this.socket.write([`GET ${pathname}${search} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
  }

  send(text) {
    this.write(TEXT, text, text.length)
  }

  sendBytes(bytes) {
    this.write(BINARY, bytes.latin1Slice(), bytes.length)
  }

  // Clients have to mask what they send. A mask of zeros leaves it unchanged.
  write(kind, text, length) {
    const size =
      length < 126
        ? String.fromCharCode(0x80 | length)
        : String.fromCharCode(0xfe, length >> 8, length & 0xff)
    this.socket.write(`${String.fromCharCode(kind)}${size}\0\0\0\0${text}`, 'latin1')
  }

  end() {
    this.isEnded = true
    this.socket.destroy()
  }

  reads(count, buffer) {
    let bytes = buffer.subarray(0, count)
    if (this.unread !== null) {
      bytes = Buffer.concat([this.unread, bytes])
      this.unread = null
    }
    let at = 0
    try {
      if (!this.isOpen) at = this.readsHead(bytes)
      for (let end = at; this.isOpen && end !== -1; end = this.readsFrame(bytes, at)) at = end
    } catch (error) {
      this.socket.destroy(error)
    }
    if (at < bytes.length) this.unread = Buffer.from(bytes.subarray(at))
    return true
  }

  readsHead(bytes) {
    const end = bytes.indexOf(END_OF_HEAD)
    if (end === -1) return 0
    const head = bytes.latin1Slice(0, end)
    if (!head.startsWith('HTTP/1.1 101')) throw new Error(head)
    this.isOpen = true
    return end + END_OF_HEAD.length
  }

  // Return where the frame that starts here ends, or -1 if it is incomplete.
  readsFrame(bytes, at) {
    if (bytes.length < at + 2) return -1
    let from = at + 2
    let length = bytes[at + 1]
    if (length === 126) {
      if (bytes.length < at + 4) return -1
      length = bytes.readUInt16BE(at + 2)
      from += 2
    } else if (length === 127) {
      if (bytes.length < at + 10) return -1
      length = Number(bytes.readBigUInt64BE(at + 2))
      from += 8
    }
    const end = from + length
    if (bytes.length < end) return -1
    const kind = bytes[at] & 0x0f
    if (kind === PING) this.write(PONG, bytes.latin1Slice(from, end), length)
    else if (kind === CLOSE) throw new Error(`closed with ${closing(bytes, from, end)}`)
    else if (kind < CLOSE) this.receives(bytes.subarray(from, end))
    return end
  }
}

const closing = (bytes, from, end) =>
  end - from < 2 ? 'no code' : `${bytes.readUInt16BE(from)} ${bytes.utf8Slice(from + 2, end)}`
