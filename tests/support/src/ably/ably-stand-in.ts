import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AblyRealtime } from './ably-realtime.ts'
import { ABLY_KEY, AblyError, AblyTokens, isAllowed, type Operation, strict } from './ably-tokens.ts'

export interface Published {
  readonly channel: string
  readonly id: string
  readonly name: string
  readonly data: Readonly<Record<string, unknown>>
}

/** For pages of other sites, as Ably answers them. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-expose-headers': '*',
}

/**
 * The part of Ably that is used, in the shapes that Ably publishes. It refuses whatever it does not know: other paths,
 * missing or further fields, wrong signatures, tokens without the capability.
 */
export class AblyStandIn {
  readonly published: Published[] = []
  /** Ids that came more than once. */
  readonly repeated: string[] = []
  readonly refused: string[] = []
  /** How many connections it reports; null reports how many there are. */
  connections: number | null = null
  /** Answers 500 to publishing and accepts no socket, as when it is down. */
  isDown = false
  /** Sockets are accepted when this is over. */
  opensAfter: Promise<void> = Promise.resolve()
  /** Paths that were asked for, the sockets' too. */
  readonly asked: string[] = []
  readonly realtime: AblyRealtime
  readonly #server: Server
  readonly #tokens = new AblyTokens()

  static async start(): Promise<AblyStandIn> {
    const standIn = new AblyStandIn()
    // Loaded here, because every test imports this package and few need a socket.
    const { WebSocketServer } = await import('ws')
    const door = new WebSocketServer({ noServer: true })
    standIn.#server.on('upgrade', async (request, socket, head) => {
      standIn.asked.push('socket')
      await standIn.opensAfter
      if (standIn.isDown) socket.destroy()
      else door.handleUpgrade(request, socket, head, (opened) => standIn.realtime.open(opened, request))
    })
    await new Promise<void>((resolve) => standIn.#server.listen(0, '127.0.0.1', resolve))
    return standIn
  }

  constructor() {
    this.realtime = new AblyRealtime(this.#tokens)
    this.#server = createServer(async (request, response) => {
      let answer: { status: number; body: object }
      this.asked.push(`${request.method} ${request.url?.split('?')[0]}`)
      try {
        answer = this.#answer(request, await readBody(request))
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        this.refused.push(`${request.method} ${request.url}: ${message}`)
        const problem = error instanceof AblyError ? error : new AblyError(40_000, 400, message)
        answer = { status: problem.statusCode, body: { error: problem.wire } }
      }
      response.writeHead(answer.status, { 'content-type': 'application/json', ...CORS, ...errorHeaders(answer) })
      response.end(JSON.stringify(answer.body))
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Settings of a server that uses it. */
  get env(): Record<string, string> {
    return { SEATWISE_REALTIME: 'ably', ABLY_API_KEY: ABLY_KEY, SEATWISE_ABLY_URL: this.url }
  }

  on(channel: string): Published[] {
    return this.published.filter((message) => message.channel === channel)
  }

  async stop(): Promise<void> {
    this.realtime.close()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #answer(request: IncomingMessage, body: unknown): { status: number; body: object } {
    const { pathname } = new URL(request.url ?? '', 'http://ably')
    const [, first, name = '', last, ...more] = pathname.split('/').map(decodeURIComponent)
    if (request.method === 'OPTIONS') return { status: 200, body: {} }
    if (more.length > 0) throw new Error('unknown path')
    if (request.method === 'POST' && first === 'keys' && last === 'requestToken') {
      return { status: 201, body: this.#tokens.issue(name, body) }
    }
    if (request.method === 'POST' && first === 'channels' && last === 'messages') {
      this.#authorize(request, name, 'publish')
      if (this.isDown) return { status: 500, body: { error: { code: 50_000, statusCode: 500, message: 'down' } } }
      return { status: 201, body: { channel: name, messageId: this.#publish(name, body) } }
    }
    if (request.method === 'GET' && first === 'channels' && last === undefined) {
      this.#authorize(request, name, 'channel-metadata')
      return { status: 200, body: this.#details(name) }
    }
    throw new Error('unknown path')
  }

  #authorize(request: IncomingMessage, channel: string, operation: Operation): void {
    const [scheme, encoded = ''] = (request.headers.authorization ?? '').split(' ')
    const credential = Buffer.from(encoded, 'base64').toString()
    if (scheme === 'Basic' && credential === ABLY_KEY) return
    if (scheme !== 'Bearer') throw new Error('not authorised')
    const isPermitted = isAllowed(this.#tokens.read(credential), channel, operation)
    if (!isPermitted) throw new Error(`${operation} is not in the capability`)
  }

  /** https://ably.com/docs/api/rest-api#publish, with idempotent ids */
  #publish(channel: string, body: unknown): string {
    const [message] = Array.isArray(body) && body.length === 1 ? body : [body]
    // The SDK says itself that it creates a message (`action` 0), and how large it is.
    const { id, name, data, action = 0 } = strict(message, ['id', 'name', 'data', 'action', 'size'], ['action', 'size'])
    if (action !== 0) throw new Error('not a message to be created')
    if (typeof id !== 'string' || typeof name !== 'string' || typeof data !== 'string') throw new Error('not text')
    if (data.length > 65_536) throw new Error('too large')
    if (this.published.some((known) => known.id === id && known.channel === channel)) this.repeated.push(id)
    else {
      this.published.push({ channel, id, name, data: JSON.parse(data) })
      this.realtime.publish(channel, { id, name, data })
    }
    return id
  }

  /** https://ably.com/docs/api/rest-api#get-metadata */
  #details(channelId: string): object {
    const connections = this.connections ?? this.realtime.attached(channelId)
    const members = this.realtime.members(channelId).length
    const presence = { presenceConnections: members, presenceMembers: members, presenceSubscribers: 0, publishers: 0 }
    const metrics = { connections, subscribers: connections, ...presence }
    return { channelId, status: { isActive: connections > 0, occupancy: { metrics } } }
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const part of request) text += String(part)
  return text === '' ? null : JSON.parse(text)
}

function errorHeaders({ status, body }: { status: number; body: object }): Record<string, string> {
  if (status < 400 || !('error' in body)) return {}
  const { code } = body.error as { code: number }
  return { 'x-ably-errorcode': String(code), 'x-ably-errormessage': 'refused' }
}
