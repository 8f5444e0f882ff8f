import { connect, type Socket } from 'node:net'

/*
 * A driver that costs as little as possible, because it runs on the same cores as what it measures: raw sockets, kept
 * open, one request at a time on each, as fast as answers come.
 */

export interface DriveOptions {
  readonly url: URL
  readonly connections: number
  readonly seconds: number
  /** How much of this time passes before answers count: until then a crowd that comes all at once is not yet spread out. */
  readonly unmeasuredSeconds?: number
  /** The next request to send, or null when there is none left; a GET of `url` unless told otherwise. */
  readonly nextRequest?: () => Buffer | null
  /** Told the headers of each answer. */
  readonly onHead?: (head: string) => void
  /** What a good answer is; 200 unless told otherwise. */
  readonly status?: number
}

export interface DriveResult {
  readonly perSecond: number
  readonly answers: number
  /** When answers began to count, by `performance.now`. */
  readonly startedAt: number
}

/** Counts the good answers; any other ends the measurement. Every request that was sent is answered. */
export async function drive(options: DriveOptions): Promise<DriveResult> {
  const { url, connections, seconds, onHead, status: expected = 200 } = options
  const onlyRequest = requestFor(url)
  const nextRequest = options.nextRequest ?? (() => onlyRequest)
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(url)))
  const ended = Promise.withResolvers<void>()
  let answers = 0
  let waiting = 0
  const now = performance.now()
  const startedAt = now + (options.unmeasuredSeconds ?? 0) * 1_000
  const end = now + seconds * 1_000
  const sendNext = (socket: Socket): void => {
    const request = performance.now() < end ? nextRequest() : null
    if (request === null) {
      if (waiting === 0) ended.resolve()
      return
    }
    waiting += 1
    socket.write(request)
  }
  for (const socket of sockets) {
    socket.on('error', ended.reject)
    socket.on('close', () => ended.reject(new Error(`${url.href} closed a connection`)))
    onAnswers(socket, (status, head) => {
      if (status !== expected) return ended.reject(new Error(`${url.href} answered ${status}`))
      if (performance.now() >= startedAt) answers += 1
      waiting -= 1
      onHead?.(head)
      return sendNext(socket)
    })
    sendNext(socket)
  }
  try {
    await ended.promise
    return { answers, startedAt, perSecond: answers / ((performance.now() - startedAt) / 1_000) }
  } finally {
    for (const socket of sockets)
      socket
        .removeAllListeners('close')
        .on('error', () => undefined)
        .destroy()
  }
}

export function requestFor(url: URL): Buffer {
  return Buffer.from(`GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`)
}

/** What is read by all sockets, one after the other: whoever reads takes what it needs before it returns. */
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
 * Calls back with the status and the head of each whole answer, and before with each piece of its body, which is gone
 * afterwards; answers must say their length.
 */
export function onAnswers(
  socket: Socket,
  onAnswer: (status: number, head: string) => void,
  onBody?: (piece: Buffer) => void,
): void {
  let unread = ''
  let head = ''
  let bodyLeft = 0
  readers.set(socket, (chunk) => {
    let rest = chunk
    while (rest.length > 0) {
      if (bodyLeft === 0) {
        const before = unread.length
        unread += rest.toString('latin1')
        const headEnd = unread.indexOf('\r\n\r\n')
        if (headEnd < 0) return
        head = unread.slice(0, headEnd + 2)
        bodyLeft = lengthIn(head)
        rest = rest.subarray(headEnd + 4 - before)
        unread = ''
      }
      const taken = Math.min(bodyLeft, rest.length)
      bodyLeft -= taken
      onBody?.(rest.subarray(0, taken))
      rest = rest.subarray(taken)
      if (bodyLeft === 0) onAnswer(Number(head.slice(9, 12)), head)
    }
  })
}

function lengthIn(head: string): number {
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`An answer without a length: ${head}`)
  return Number(length)
}
