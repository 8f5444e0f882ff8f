import { connect, type Socket } from 'node:net'

/*
 * Connections that cost as little as possible, because they run on the same cores as what they measure: raw sockets,
 * kept open, one request at a time on each.
 */

export function requestFor(url: URL): Buffer {
  return Buffer.from(`GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`)
}

/** One read buffer shared by all sockets: each reader copies what it needs before it returns. */
const READ = Buffer.alloc(64 * 1_024)

/** What each socket's bytes are given to. */
const readers = new WeakMap<Socket, (chunk: Buffer) => void>()

/** Not through a stream: its buffers and events were a sixth of what the driver takes from what it measures. */
export async function open(url: URL): Promise<Socket> {
  const socket: Socket = connect({
    host: url.hostname,
    port: Number(url.port),
    noDelay: true,
    onread: {
      buffer: READ,
      callback(length) {
        readers.get(socket)?.(READ.subarray(0, length))
        return true
      },
    },
  })
  const connected = Promise.withResolvers<void>()
  socket.once('connect', connected.resolve)
  socket.once('error', connected.reject)
  await connected.promise
  socket.removeListener('error', connected.reject)
  return socket
}

/**
 * Calls back with the status of each whole answer and how to read its head, and before with each piece of its body; all of
 * which is gone afterwards. Answers must say their length. Bytes are decoded to text only on demand.
 */
export function onAnswers(
  socket: Socket,
  onAnswer: (status: number, readHead: () => string) => void,
  onBody?: (piece: Buffer) => void,
): void {
  let head = NOTHING
  let status = 0
  let bodyLeft = 0
  const readHead = (): string => head.toString('latin1')
  readers.set(socket, (chunk) => {
    let rest = chunk
    while (rest.length > 0) {
      if (bodyLeft === 0) {
        // The bytes before are part of it when it came in pieces.
        const seen = status === 0 && head.length > 0 ? Buffer.concat([head, rest]) : rest
        const headEnd = seen.indexOf(HEAD_END)
        head = headEnd < 0 ? Buffer.from(seen) : seen.subarray(0, headEnd + 2)
        if (headEnd < 0) return
        status = numberAt(head, STATUS_AT)
        bodyLeft = numberAt(head, lengthAt(head))
        rest = seen.subarray(headEnd + HEAD_END.length)
      }
      const taken = Math.min(bodyLeft, rest.length)
      bodyLeft -= taken
      onBody?.(rest.subarray(0, taken))
      rest = rest.subarray(taken)
      if (bodyLeft > 0) {
        // The next read overwrites the shared buffer, so the head is copied.
        head = Buffer.from(head)
        return
      }
      onAnswer(status, readHead)
      head = NOTHING
      status = 0
    }
  })
}

const NOTHING: Buffer = Buffer.alloc(0)
const HEAD_END = Buffer.from('\r\n\r\n')
/** Behind `HTTP/1.1 `. */
const STATUS_AT = 9
/** However the name begins. */
const LENGTH = Buffer.from('ontent-length: ')
const LENGTH_IN_CAPITALS = Buffer.from('ontent-Length: ')

function lengthAt(head: Buffer): number {
  const small = head.indexOf(LENGTH)
  const at = small < 0 ? head.indexOf(LENGTH_IN_CAPITALS) : small
  if (at < 0) throw new Error(`An answer without a length: ${head.toString('latin1')}`)
  return at + LENGTH.length
}

function numberAt(bytes: Buffer, from: number): number {
  let number = 0
  for (let at = from; ; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO
    if (digit < 0 || digit > 9) return number
    number = number * 10 + digit
  }
}

const ZERO = 48
