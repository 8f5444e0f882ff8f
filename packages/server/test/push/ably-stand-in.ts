import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export const ABLY_KEY = 'app123.key456:secret789'

export interface Published {
  readonly channel: string
  readonly id: string
  readonly name: string
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * The part of Ably's REST API that is used, in the shapes that Ably publishes. It refuses whatever it does not know:
 * other paths, missing or further fields, wrong signatures, tokens without the capability.
 */
export class AblyStandIn {
  readonly published: Published[] = []
  /** Ids that came more than once. */
  readonly repeated: string[] = []
  readonly refused: string[] = []
  connections = 1
  /** Answers 500 to publishing, as when it is down. */
  isDown = false
  readonly #server: Server
  readonly #tokens = new Map<string, Readonly<Record<string, readonly string[]>>>()

  static async start(): Promise<AblyStandIn> {
    const standIn = new AblyStandIn()
    await new Promise<void>((resolve) => standIn.#server.listen(0, '127.0.0.1', resolve))
    return standIn
  }

  constructor() {
    this.#server = createServer(async (request, response) => {
      let answer: { status: number; body: object }
      try {
        answer = this.#answer(request, await readBody(request))
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        this.refused.push(`${request.method} ${request.url}: ${message}`)
        answer = { status: 400, body: { error: { code: 40_000, statusCode: 400, message } } }
      }
      response.writeHead(answer.status, { 'content-type': 'application/json', ...errorHeaders(answer.status) })
      response.end(JSON.stringify(answer.body))
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  on(channel: string): Published[] {
    return this.published.filter((message) => message.channel === channel)
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #answer(request: IncomingMessage, body: unknown): { status: number; body: object } {
    const { pathname } = new URL(request.url ?? '', 'http://ably')
    const [, first, name = '', last, ...more] = pathname.split('/').map(decodeURIComponent)
    if (more.length > 0) throw new Error('unknown path')
    if (request.method === 'POST' && first === 'keys' && last === 'requestToken') {
      return { status: 201, body: this.#token(name, body) }
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

  /** https://ably.com/docs/api/rest-api#request-token */
  #token(keyName: string, body: unknown): object {
    const request = strict(
      body,
      ['keyName', 'ttl', 'capability', 'clientId', 'timestamp', 'nonce', 'mac'],
      ['clientId', 'ttl', 'capability'],
    )
    const [name, secret = ''] = ABLY_KEY.split(':')
    if (request.keyName !== name || keyName !== name) throw new Error('unknown key')
    const { ttl = '', capability = '', clientId = '', timestamp, nonce, mac } = request
    const text = `${[name, ttl, capability, clientId, timestamp, nonce].join('\n')}\n`
    if (createHmac('sha256', secret).update(text).digest('base64') !== mac) throw new Error('wrong mac')
    if (Math.abs(Date.now() - Number(timestamp)) > 60_000) throw new Error('timestamp not current')
    const token = `${name}.${randomUUID()}`
    this.#tokens.set(token, capability === '' ? { '*': ['*'] } : JSON.parse(String(capability)))
    const issued = Date.now()
    return {
      token,
      keyName: name,
      issued,
      expires: issued + Number(ttl || 3_600_000),
      capability,
      ...(clientId === '' ? {} : { clientId }),
    }
  }

  #authorize(request: IncomingMessage, channel: string, operation: string): void {
    const [scheme, encoded = ''] = (request.headers.authorization ?? '').split(' ')
    const credential = Buffer.from(encoded, 'base64').toString()
    if (scheme === 'Basic' && credential === ABLY_KEY) return
    const capability = scheme === 'Bearer' ? this.#tokens.get(credential) : undefined
    if (capability === undefined) throw new Error('not authorised')
    const allowed = [...(capability[channel] ?? []), ...(capability['*'] ?? [])]
    if (!allowed.includes('*') && !allowed.includes(operation)) throw new Error(`${operation} is not in the capability`)
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
    else this.published.push({ channel, id, name, data: JSON.parse(data) })
    return id
  }

  /** https://ably.com/docs/api/rest-api#get-metadata */
  #details(channelId: string): object {
    const { connections } = this
    const none = { presenceConnections: 0, presenceMembers: 0, presenceSubscribers: 0, publishers: 0 }
    const metrics = { connections, subscribers: connections, ...none }
    return { channelId, status: { isActive: connections > 0, occupancy: { metrics } } }
  }
}

/** All of these fields, and no other; `optional` ones may be missing. */
function strict(value: unknown, fields: readonly string[], optional: readonly string[] = []): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object')
  const unknown = Object.keys(value).filter((field) => !fields.includes(field))
  const missing = fields.filter((field) => !(field in value) && !optional.includes(field))
  if (unknown.length + missing.length > 0) throw new Error(`unknown: ${unknown}; missing: ${missing}`)
  return value as Record<string, unknown>
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const part of request) text += String(part)
  return text === '' ? null : JSON.parse(text)
}

function errorHeaders(status: number): Record<string, string> {
  return status < 400 ? {} : { 'x-ably-errorcode': String(status * 100), 'x-ably-errormessage': 'refused' }
}
