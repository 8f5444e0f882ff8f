import { get, type IncomingMessage } from 'node:http'
import type { PublicNews } from '@seatwise/domain'
import { waitUntil } from '@seatwise/testbench'
import { WebSocket } from 'ws'
import type { RoomBench } from './room.ts'

/** Any message, as a client sees it. */
export interface Heard {
  readonly type: string
  readonly channel?: string
  readonly epoch?: number
  readonly seq?: number
  readonly [field: string]: unknown
}

export interface Wishes {
  readonly ticketToken?: string
  readonly since?: { readonly epoch: number; readonly seq: number }
  readonly seats?: number
  readonly without?: readonly PublicNews['type'][]
  readonly presence?: boolean
}

/** The origin of a server of a test, which listens from now on. */
export async function listen({ server }: RoomBench): Promise<string> {
  return await server.app.listen({ host: '127.0.0.1', port: 0 })
}

/** What a client hears, by WebSocket or event stream. */
export class Ear {
  readonly heard: Heard[] = []
  closed: { readonly code: number; readonly reason: string } | null = null

  of(type: string): Heard[] {
    return this.heard.filter((message) => message.type === type)
  }

  /** The first message of a type that fits, which may have come already. */
  async hear(type: string, fits: (message: Heard) => boolean = () => true): Promise<Heard> {
    return await waitUntil(`${type} is heard`, () => {
      const found = this.heard.find((message) => message.type === type && fits(message))
      if (found === undefined) throw new Error(`Heard only ${JSON.stringify(this.heard).slice(0, 2_000)}`)
      return found
    })
  }

  async hearClose(): Promise<{ readonly code: number; readonly reason: string }> {
    return await waitUntil('the connection ends', () => this.closed)
  }
}

/** A client on a WebSocket. */
export class PushClient extends Ear {
  readonly socket: WebSocket

  static async open(url: string, headers: Record<string, string> = {}): Promise<PushClient> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime`, { headers, perMessageDeflate: false })
    const client = new PushClient(socket)
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    return client
  }

  constructor(socket: WebSocket) {
    super()
    this.socket = socket
    socket.on('message', (data) => this.heard.push(JSON.parse(String(data))))
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) }
    })
    socket.on('error', () => undefined)
  }

  say(message: object): void {
    this.socket.send(JSON.stringify(message))
  }

  subscribe(channels: readonly string[], wishes: Wishes = {}): void {
    this.say({ type: 'subscribe', channels, ...wishes })
  }

  async subscribed(channels: readonly string[], wishes: Wishes = {}): Promise<this> {
    this.subscribe(channels, wishes)
    await this.hear('SUBSCRIBED', (message) => channels.every((name) => (message.channels as string[]).includes(name)))
    return this
  }

  close(): void {
    this.socket.terminate()
  }
}

/** A client of Server-Sent Events, as an `EventSource` would be. */
export class EventClient extends Ear {
  readonly response: IncomingMessage
  readonly ids: string[] = []

  static async open(
    url: string,
    channels: readonly string[],
    headers: Record<string, string> = {},
    query = '',
  ): Promise<EventClient> {
    const address = `${url}/realtime/sse?channels=${channels.join(',')}${query}`
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(address, { headers, agent: false }, resolve).once('error', reject)
    })
    return new EventClient(response)
  }

  constructor(response: IncomingMessage) {
    super()
    this.response = response
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (part: string) => {
      text += part
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) this.#take(event)
    })
    response.on('close', () => {
      this.closed = { code: 0, reason: '' }
    })
    response.on('error', () => undefined)
  }

  close(): void {
    this.response.destroy()
  }

  #take(event: string): void {
    for (const line of event.split('\n')) {
      if (line.startsWith('id: ')) this.ids.push(line.slice(4))
      if (line.startsWith('data: ')) this.heard.push(JSON.parse(line.slice(6)))
    }
  }
}

/** How a WebSocket was refused. */
export async function refusal(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Heard & { code?: string } }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime`, { headers })
  return await new Promise((resolve, reject) => {
    socket.once('open', () => reject(new Error('It was let in')))
    socket.on('error', () => undefined)
    socket.once('unexpected-response', (_request, response) => {
      let text = ''
      response.on('data', (part) => {
        text += String(part)
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }))
    })
  })
}

/** `event:{id}` of a sale at `/api/events/{id}`. */
export function addressOf(room: string): string {
  return room.replace('/api/events/', 'event:').replace('/api/rooms/', 'room:')
}

export function publicOf(room: string): string {
  return `${addressOf(room)}:public`
}

export function privateOf(room: string, { ticketId }: { ticketId: string }): string {
  return `${addressOf(room)}:private:${ticketId}`
}
