import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type HttpAnswer, type HttpRequest, Refused, type Visitor } from '@seatwise/testbench'
import type { Room } from '../sale-under-test/start-sale.ts'

export type Temper =
  /** Stays until they have a seat, or until all are sold. */
  | 'stays'
  /** Goes as soon as it is their turn. */
  | 'leaves'
  /** Reserves, thinks again, and goes. */
  | 'reserves and leaves'
  /** Reserves, and is never seen again. */
  | 'reserves and vanishes'
  /** Changes their mind about the seat, and then pays with a card that does not work before one that does. */
  | 'dithers'

export type Ending = 'bought' | 'left' | 'vanished' | 'sold out'

export interface Market {
  readonly room: Room
  readonly urls: readonly string[]
  readonly seatTypeIds: readonly string[]
  /** Every server may be dead for a while: how long somebody goes on asking. */
  readonly patienceMs: number
}

export interface Bought {
  readonly reservationId: string
  readonly seatIds: readonly string[]
}

const LOOK_MS = 50

/** Somebody who comes to buy one seat, asks any server, and asks again with the same key when no answer comes. */
export class Buyer {
  readonly #market: Market
  readonly #visitor: Visitor
  readonly temper: Temper
  bought: Bought | null = null
  /** How often they were told what. */
  readonly refusals = new Map<string, number>()

  constructor(market: Market, name: string, temper: Temper) {
    this.#market = market
    this.#visitor = market.room.visitor(name)
    this.temper = temper
  }

  async go(): Promise<Ending> {
    let { status, reason } = await this.#visitor.join()
    while (true) {
      if (status === 'completed') return 'bought'
      if (status === 'expired' && reason === 'sold_out') return 'sold out'
      // Whose turn came and went comes again, if they want a seat at all.
      if (status === 'expired' && this.temper !== 'stays' && this.temper !== 'dithers') return 'left'
      if (status === 'admitted') await this.#claim()
      if (status === 'active') {
        const ending = await this.#visit()
        if (ending !== null) return ending
      }
      await delay(LOOK_MS)
      const standing = await this.#standing(status === 'expired')
      if (standing === 'sold out') return standing
      status = standing.status
      reason = standing.reason
    }
  }

  async #standing(isOver: boolean) {
    try {
      return isOver ? await this.#visitor.join() : await this.#visitor.look()
    } catch (error) {
      if (error instanceof Refused && error.code === 'SOLD_OUT') return 'sold out'
      throw error
    }
  }

  async #claim(): Promise<void> {
    try {
      await this.#visitor.claim()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
    }
  }

  /** What they do on the floor; null: try again. */
  async #visit(): Promise<Ending | null> {
    if (this.temper === 'leaves') return await this.#leave()
    const reservation = await this.#reserve()
    if (reservation === null) return null
    if (this.temper === 'reserves and leaves') return await this.#leave()
    if (this.temper === 'reserves and vanishes') return 'vanished'
    if (this.temper === 'dithers') await this.#pay(reservation.id, 'sandbox_declined')
    const chosen = this.temper === 'dithers' ? ((await this.#reserve()) ?? reservation) : reservation
    const paid = await this.#pay(chosen.id, 'sandbox_ok')
    if (paid.status !== 201) return null
    this.bought = { reservationId: chosen.id, seatIds: chosen.seatIds }
    return 'bought'
  }

  async #leave(): Promise<Ending> {
    await this.#visitor.leave()
    return 'left'
  }

  /** One seat of any type: whoever is on the floor can have one. */
  async #reserve(): Promise<{ id: string; seatIds: string[] } | null> {
    for (const seatTypeId of this.#shuffledTypes()) {
      const { body, status } = await this.#ask({
        method: 'POST',
        path: `/api/events/${this.#market.room.eventId}/reservations`,
        headers: { 'seatwise-pass': this.#visitor.pass ?? '' },
        body: { seatTypeId, quantity: 1 },
      })
      if (status === 201) {
        // The contract says what these are.
        const items = body.items as { seatId: string }[]
        return { id: String(body.id), seatIds: items.map(({ seatId }) => seatId) }
      }
      const code = String(body.code)
      this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1)
    }
    return null
  }

  #pay(reservationId: string, paymentMethod: string): Promise<HttpAnswer> {
    return this.#ask({ method: 'POST', path: '/api/purchases', headers: {}, body: { reservationId, paymentMethod } })
  }

  #shuffledTypes(): string[] {
    const { room, seatTypeIds } = this.#market
    const first = Math.floor(room.random() * seatTypeIds.length)
    return [...seatTypeIds.slice(first), ...seatTypeIds.slice(0, first)]
  }

  /** Goes on with the same key until somebody answers for good. */
  async #ask(request: Omit<HttpRequest, 'url'> & { path: string }): Promise<HttpAnswer> {
    const { room, urls, patienceMs } = this.#market
    const { path, headers, ...rest } = request
    const proofs = { ...headers, authorization: `Bearer ${this.#visitor.accessToken}`, 'idempotency-key': randomUUID() }
    const until = performance.now() + patienceMs
    while (performance.now() < until) {
      const server = urls[Math.floor(room.random() * urls.length)] ?? ''
      const answer = await room.http.send({ ...rest, url: `${server}${path}`, headers: proofs }).catch(() => null)
      if (answer !== null && !isPassing(answer)) return answer
      await delay(LOOK_MS)
    }
    throw new Error(`${this.#visitor.name} got no answer to ${request.method} ${path} within ${patienceMs} ms`)
  }
}

/** Not an answer for good: come back. */
function isPassing({ status, body }: HttpAnswer): boolean {
  return status === 503 || status === 429 || status === 202 || body.code === 'IN_PROGRESS'
}
