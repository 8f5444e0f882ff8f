import { connect, type Socket } from 'node:net'

/*
 * A process that holds thousands of WebSockets and reads them as cheaply as possible, so that what is measured is the
 * server. Run by `push-listeners.ts`, which talks to it over IPC.
 */

export interface Listener {
  /** What it says first; null says nothing. */
  readonly subscribe: string | null
}

export type ToCrowd =
  | { readonly do: 'open'; readonly port: number; readonly path: string; readonly listeners: readonly Listener[] }
  /** Answers when so many messages of this type have come in all, counted since the last time. */
  | { readonly do: 'await'; readonly type: string; readonly count: number }

export type FromCrowd = { readonly opened: number } | { readonly came: number; readonly at: number }

const AT_ONCE = 200
const counts = new Map<string, number>()
let awaited: { type: string; count: number } | null = null

process.on('message', (message: ToCrowd) => {
  if (message.do === 'await') {
    awaited = message
    tellIfCame()
  } else void openAll(message)
})

async function openAll({ port, path, listeners }: ToCrowd & { do: 'open' }): Promise<void> {
  for (let from = 0; from < listeners.length; from += AT_ONCE) {
    await Promise.all(listeners.slice(from, from + AT_ONCE).map((listener) => openSocket(port, path, listener, count)))
  }
  say({ opened: listeners.length })
}

function count(type: string): void {
  counts.set(type, (counts.get(type) ?? 0) + 1)
  tellIfCame()
}

function tellIfCame(): void {
  if (awaited === null) return
  const came = counts.get(awaited.type) ?? 0
  if (came < awaited.count) return
  counts.set(awaited.type, 0)
  awaited = null
  say({ came, at: performance.timeOrigin + performance.now() })
}

function say(message: FromCrowd): void {
  process.send?.(message)
}

/** Shakes hands, subscribes, and calls back with the type of every message. Resolves with the first one. */
async function openSocket(
  port: number,
  path: string,
  { subscribe }: Listener,
  onType: (type: string) => void,
): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const head = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: MTIzNDU2Nzg5MDEyMzQ1Ng==',
  ]
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${head.join('\r\n')}\r\n\r\n`)
  socket.on('error', (error) => {
    throw error
  })
  let rest = await upgraded(socket)
  if (subscribe !== null) socket.write(maskedText(subscribe))
  await new Promise<void>((resolve) => {
    const take = (chunk: Buffer): void => {
      rest = readFrames(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]), socket, onType)
      resolve()
    }
    socket.on('data', take)
    if (subscribe === null) resolve()
  })
  return socket
}

async function upgraded(socket: Socket): Promise<Buffer> {
  let text = Buffer.alloc(0)
  for (;;) {
    const chunk = await new Promise<Buffer>((resolve) => socket.once('data', resolve))
    text = Buffer.concat([text, chunk])
    const end = text.indexOf('\r\n\r\n')
    if (end === -1) continue
    if (!text.toString('latin1', 0, 12).endsWith('101')) throw new Error(`Refused: ${text.toString('latin1')}`)
    return text.subarray(end + 4)
  }
}

/** Returns what is left of an incomplete frame. */
function readFrames(data: Buffer, socket: Socket, onType: (type: string) => void): Buffer {
  let at = 0
  while (data.length - at >= 2) {
    const short = (data[at + 1] ?? 0) & 127
    const head = short < 126 ? 2 : short === 126 ? 4 : 10
    if (data.length - at < head) break
    const length = head === 2 ? short : head === 4 ? data.readUInt16BE(at + 2) : Number(data.readBigUInt64BE(at + 2))
    if (data.length - at < head + length) break
    const isPing = ((data[at] ?? 0) & 15) === 9
    if (isPing) socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]))
    // `{"type":"SNAPSHOT",…`
    else onType(data.toString('latin1', at + head + 9, data.indexOf(34, at + head + 9)))
    at += head + length
  }
  return data.subarray(at)
}

/** Clients must mask; a mask of zeros costs nothing. */
function maskedText(text: string): Buffer {
  const body = Buffer.from(text)
  return Buffer.concat([Buffer.from([0x81, 0x80 | 126, body.length >> 8, body.length & 255, 0, 0, 0, 0]), body])
}
