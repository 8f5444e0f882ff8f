import { randomUUID } from 'node:crypto'
import { createAccessTokens } from '@seatwise/server'
import { parseRecord, SECRET, type Server } from '@seatwise/testbench'

const tokens = createAccessTokens([Buffer.from(SECRET, 'base64')], Date.now)

/** A user with an account; buyers are not looked up. */
export function buyerToken(): string {
  return tokens.issue({ id: randomUUID(), role: 'buyer', name: 'Ada', avatar: null }).accessToken
}

export interface Ticket {
  readonly ticketId: string
  readonly ticketToken: string
  readonly rank: number
  readonly accessToken: string
}

/** A sale on one server, or on several of one system. */
export class PushSale {
  readonly servers: readonly Server[]
  readonly eventId: string
  readonly #admin: string

  static async open(
    servers: readonly Server[],
    room: object,
    event: object = { totalSeats: 1_000 },
  ): Promise<PushSale> {
    const [server] = servers
    if (server === undefined) throw new Error('A sale needs a server')
    const admin = `Bearer ${await server.adminToken()}`
    const window = { salesStartAt: '2026-01-01T00:00:00Z', salesEndAt: '2099-01-01T00:00:00Z' }
    const body = { name: 'Aurora Live', ...window, ...event, room }
    const made = await call(`${server.url}/api/events`, 'POST', { authorization: admin }, body)
    return new PushSale(servers, String(made.id), admin)
  }

  constructor(servers: readonly Server[], eventId: string, admin: string) {
    this.servers = servers
    this.eventId = eventId
    this.#admin = admin
  }

  get publicChannel(): string {
    return `event:${this.eventId}:public`
  }

  privateChannel({ ticketId }: { ticketId: string }): string {
    return `event:${this.eventId}:private:${ticketId}`
  }

  async join(server = this.#server(0)): Promise<Ticket> {
    const accessToken = buyerToken()
    const joined = await this.ask(server, 'POST', '/queue/join', { authorization: `Bearer ${accessToken}` }, {})
    return { ticketId: '', ticketToken: '', rank: 0, ...joined, accessToken }
  }

  async status({ ticketToken }: Ticket, server = this.#server(0)): Promise<Readonly<Record<string, unknown>>> {
    return await this.ask(server, 'GET', '/queue/status', { 'seatwise-ticket': ticketToken })
  }

  async operate(change: object, server = this.#server(0)): Promise<void> {
    await this.ask(server, 'PATCH', '/room', { authorization: this.#admin }, change)
  }

  async terminate(ticketId: string): Promise<void> {
    await this.ask(this.#server(0), 'POST', '/queue/terminate', { authorization: this.#admin }, { ticketId })
  }

  /** A call about this sale to one of its servers. */
  async ask(
    server: Server,
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: object,
  ): Promise<Record<string, unknown>> {
    return await call(`${server.url}/api/events/${this.eventId}${path}`, method, headers, body)
  }

  #server(index: number): Server {
    const server = this.servers[index]
    if (server === undefined) throw new RangeError(`There is no server ${index}`)
    return server
  }
}

export async function call(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: object,
): Promise<Record<string, unknown>> {
  const content = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...content },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`)
  return parseRecord(text)
}
