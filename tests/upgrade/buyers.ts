import { randomUUID } from 'node:crypto'
import { HttpClient, type Server, waitUntil } from '@seatwise/testbench'
import type { SaleOfShop } from '../crash/shop.ts'

/** How many buy at a time. */
const LANES = 6
/** Bought by servers of one line-up before the next change. */
const ENOUGH = 12

/**
 * Buyers behind a balancer: each of their requests goes to any server that is in turn, so that one server takes up what
 * another one began.
 */
export class Buyers {
  readonly #http = new HttpClient({ timeoutMs: 30_000 })
  readonly #sale: SaleOfShop
  #servers: readonly Server[]
  #isOver = false
  #asked = 0
  #lanes: Promise<unknown> | undefined
  /** The reservations that were paid, in the order of their answers. */
  readonly bought: string[] = []
  /** Answers that are neither a success nor 503 with `Retry-After`. */
  readonly failures: string[] = []

  constructor(sale: SaleOfShop, servers: readonly Server[]) {
    this.#sale = sale
    this.#servers = servers
    this.#lanes = Promise.all(
      Array.from({ length: LANES }, async () => {
        while (!this.#isOver) await this.#buy()
      }),
    )
  }

  /** From now on these servers are asked; resolves when they have sold enough. */
  async goOnWith(...servers: readonly Server[]): Promise<void> {
    this.#servers = servers
    const before = this.bought.length
    const isEnough = (): boolean => this.bought.length >= before + ENOUGH || this.failures.length > 0
    await waitUntil('enough buyers have paid', isEnough, { timeoutMs: 60_000 })
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#lanes
    await this.#http.close()
  }

  async #buy(): Promise<void> {
    const { eventId, seatTypeId } = this.#sale
    const path = `/api/events/${eventId}`
    const joined = await this.#insist('POST', `${path}/queue/join`, {}, {})
    const authorization = `Bearer ${joined.accessToken}`
    const ticket = { 'seatwise-ticket': String(joined.ticketToken) }
    const pass = await waitUntil('it is their turn', async () => {
      const { activeToken } = await this.#insist('GET', `${path}/queue/status`, ticket)
      return typeof activeToken === 'string' ? activeToken : this.failures.length > 0 ? '' : null
    })
    const reserving = { authorization, 'seatwise-pass': pass, 'idempotency-key': randomUUID() }
    const { id } = await this.#insist('POST', `${path}/reservations`, reserving, { seatTypeId, quantity: 1 })
    await this.#insist('PATCH', `/api/reservations/${id}`, { authorization }, { email: `${randomUUID()}@example.com` })
    const order = { reservationId: id, paymentMethod: 'sandbox_ok' }
    const paying = { authorization, 'idempotency-key': randomUUID() }
    const purchase = await this.#insist('POST', '/api/purchases', paying, order)
    if (purchase.status === 'PAID') this.bought.push(String(id))
    await this.#insist('GET', `${path}/queue/now`, {})
    await this.#insist('GET', '/api/reservations', { authorization })
  }

  async #insist(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    headers: Record<string, string>,
    body?: object,
  ): Promise<Readonly<Record<string, unknown>>> {
    return await waitUntil(`${path} is answered`, async () => {
      this.#asked += 1
      const server = this.#servers[this.#asked % this.#servers.length] as Server
      const url = `${server.url}${path}`
      const answer = await this.#http.send({ method, url, headers, ...(body === undefined ? {} : { body }) })
      if (answer.status < 300) return answer.body
      if (answer.status === 503 && answer.retryAfterMs !== null && !this.#isOver) return null
      this.failures.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body
    })
  }
}
