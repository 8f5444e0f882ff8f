import { connect, type Socket } from 'node:net'

/*
 * A driver that costs as little as possible, because it runs on the same cores as what it measures: raw sockets, kept
 * open, one request at a time on each, as fast as answers come.
 */

export interface DriveOptions {
  readonly url: URL
  readonly connections: number
  readonly seconds: number
}

export interface DriveResult {
  readonly perSecond: number
  readonly answers: number
}

/** Counts the answers with status 200; any other ends the measurement. */
export async function drive({ url, connections, seconds }: DriveOptions): Promise<DriveResult> {
  const request = requestFor(url)
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(url)))
  const ended = Promise.withResolvers<void>()
  let answers = 0
  const start = performance.now()
  const end = start + seconds * 1_000
  for (const socket of sockets) {
    socket.on('error', ended.reject)
    socket.on('close', () => ended.reject(new Error(`${url.href} closed a connection`)))
    onAnswers(socket, (status) => {
      if (status !== 200) return ended.reject(new Error(`${url.href} answered ${status}`))
      answers += 1
      if (performance.now() < end) socket.write(request)
      else ended.resolve()
    })
    socket.write(request)
  }
  try {
    await ended.promise
    return { answers, perSecond: answers / ((performance.now() - start) / 1_000) }
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

export async function open(url: URL): Promise<Socket> {
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
  const connected = Promise.withResolvers<void>()
  socket.once('connect', connected.resolve)
  socket.once('error', connected.reject)
  await connected.promise
  socket.removeListener('error', connected.reject)
  return socket
}

/** Calls back with the status of each whole answer; answers must say their length. */
export function onAnswers(socket: Socket, onAnswer: (status: number) => void): void {
  let head = ''
  let status = 0
  let bodyLeft = 0
  socket.on('data', (chunk: Buffer) => {
    let rest = chunk
    while (rest.length > 0) {
      if (bodyLeft === 0) {
        head += rest.toString('latin1')
        const headEnd = head.indexOf('\r\n\r\n')
        if (headEnd < 0) return
        const length = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, headEnd + 2))?.[1]
        if (length === undefined) throw new Error(`An answer without a length: ${head.slice(0, headEnd)}`)
        status = Number(head.slice(9, 12))
        bodyLeft = Number(length)
        const bodySeen = head.length - (headEnd + 4)
        rest = rest.subarray(rest.length - bodySeen)
        head = ''
      }
      const taken = Math.min(bodyLeft, rest.length)
      bodyLeft -= taken
      rest = rest.subarray(taken)
      if (bodyLeft === 0) onAnswer(status)
    }
  })
}
