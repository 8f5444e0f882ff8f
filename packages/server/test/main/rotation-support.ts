import { randomUUID } from 'node:crypto'
import type { Ledger } from '@seatwise/ledger'
import { waitUntil } from '@seatwise/testbench'
import type { InjectOptions } from 'fastify'
import type { Answer } from '../support/events.ts'
import { openRoomServer, type RoomServer } from '../support/room.ts'

interface Running {
  readonly server: RoomServer
  /** Requests that it has not answered yet. */
  underWay: number
}

/** Servers behind one load balancer: each can be restarted with other secrets while the others go on. */
export class Deployment {
  readonly #ledger: Ledger
  readonly #random: () => number
  readonly #slots: (Running | null)[] = []

  static async open(ledger: Ledger, count: number, secrets: readonly Buffer[], random: () => number) {
    const deployment = new Deployment(ledger, random)
    for (let index = 0; index < count; index += 1) await deployment.#start(index, secrets)
    return deployment
  }

  constructor(ledger: Ledger, random: () => number) {
    this.#ledger = ledger
    this.#random = random
  }

  get servers(): RoomServer[] {
    return this.#running.map(({ server }) => server)
  }

  get #running(): Running[] {
    return this.#slots.filter((slot) => slot !== null)
  }

  /** Asks any server that takes requests. */
  async ask(request: InjectOptions): Promise<Answer> {
    const running = this.#running
    const chosen = running[Math.floor(this.#random() * running.length)]
    if (chosen === undefined) throw new Error('No server is running')
    chosen.underWay += 1
    try {
      return await chosen.server.app.inject(request)
    } finally {
      chosen.underWay -= 1
    }
  }

  /** One after the other, each after it has answered what it was asked, so that there is always a server. */
  async restartAll(secrets: readonly Buffer[]): Promise<void> {
    for (const [index, slot] of this.#slots.entries()) {
      this.#slots[index] = null
      await waitUntil('the server has answered everything', () => slot?.underWay === 0)
      await slot?.server.close()
      await this.#start(index, secrets)
    }
  }

  async close(): Promise<void> {
    for (const server of this.servers) await server.close()
  }

  async #start(index: number, secrets: readonly Buffer[]): Promise<void> {
    this.#slots[index] = { server: await openRoomServer(this.#ledger, { secrets }), underWay: 0 }
  }
}

/** A program that buys: it keeps the tokens that it was given, and those that an answer gives it instead. */
export class Client {
  readonly #deployment: Deployment
  readonly #takesRenewed: boolean
  accessToken: string | undefined
  ticketToken: string | undefined
  pass: string | undefined
  ticketId = ''

  constructor(
    deployment: Deployment,
    { accessToken, takesRenewed = true }: { accessToken?: string; takesRenewed?: boolean } = {},
  ) {
    this.#deployment = deployment
    this.#takesRenewed = takesRenewed
    this.accessToken = accessToken
  }

  async call(
    method: 'GET' | 'POST' | 'PATCH',
    url: string,
    body?: object,
    key: string = randomUUID(),
  ): Promise<Answer> {
    const headers = {
      authorization: this.accessToken === undefined ? undefined : `Bearer ${this.accessToken}`,
      'seatwise-ticket': this.ticketToken,
      'seatwise-pass': this.pass,
      'idempotency-key': key,
    }
    const answer = await this.#deployment.ask({
      ...{ method, url, ...(body === undefined ? {} : { payload: body }) },
      headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
    })
    if (this.#takesRenewed) this.#takeRenewed(answer)
    return answer
  }

  #takeRenewed({ headers }: Answer): void {
    const { 'seatwise-renewed-access': access, 'seatwise-renewed-ticket': ticket } = headers
    if (typeof access === 'string') this.accessToken = access
    if (typeof ticket === 'string') this.ticketToken = ticket
  }

  async join(sale: string): Promise<Answer> {
    const answer = await this.call('POST', `${sale}/queue/join`, {})
    if (answer.statusCode !== 200) return answer
    const told = answer.json<{ ticketToken: string; ticketId: string; accessToken?: string }>()
    this.ticketToken = told.ticketToken
    this.ticketId = told.ticketId
    this.accessToken ??= told.accessToken
    return answer
  }

  async look(sale: string): Promise<Answer> {
    const answer = await this.call('GET', `${sale}/queue/status`)
    const { activeToken } = answer.json<{ activeToken?: string }>()
    if (activeToken !== undefined) this.pass = activeToken
    return answer
  }
}
