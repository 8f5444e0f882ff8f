import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type HttpAnswer, type HttpRequest, Refused, secretsIn, type Visitor, waitUntil } from '@seatwise/testbench'
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
  /** Every server may be dead for a while: how long a buyer goes on asking. */
  readonly patienceMs: number
  /** How long a buyer waits before looking again. */
  readonly lookMs: number
}

export interface Bought {
  readonly reservationId: string
  readonly seatIds: readonly string[]
}

/** A buyer who comes for one seat, asks any server, and asks again with the same key when no answer comes. */
export class Buyer {
  readonly #market: Market
  readonly #visitor: Visitor
  readonly temper: Temper
  bought: Bought | null = null
  /** How often they were told what. */
  readonly refusals = new Map<string, number>()
  /** Keys of calls that a server may have carried out though its answer was lost. */
  readonly #unknown = new Set<string>()

  constructor(market: Market, name: string, temper: Temper) {
    this.#market = market
    this.#visitor = market.room.visitor(name)
    this.temper = temper
  }

  /** Comes at any moment within this time. */
  async come(withinMs: number): Promise<Ending> {
    await delay(this.#market.room.random() * withinMs)
    return await this.go()
  }

  async go(): Promise<Ending> {
    let { status, reason } = await this.#visitor.join()
    while (true) {
      if (status === 'completed') return 'bought'
      if (status === 'expired' && reason === 'sold_out') return 'sold out'
      // A buyer who missed their turn joins again, if they want a seat at all.
      if (status === 'expired' && this.temper !== 'stays' && this.temper !== 'dithers') return 'left'
      if (status === 'admitted') await this.#enter()
      if (status === 'active') {
        const ending = await this.#visit()
        if (ending !== null) return ending
      }
      await delay(this.#market.lookMs)
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

  async #enter(): Promise<void> {
    try {
      await this.#visitor.enter()
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

  /** One seat of any type: every buyer on the floor can have one. */
  async #reserve(): Promise<{ id: string; seatIds: string[] } | null> {
    for (const seatTypeId of this.#shuffledTypes()) {
      const { body, status } = await this.#ask('reserve', {
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
    const body = { reservationId, paymentMethod }
    return this.#ask('purchase', { method: 'POST', path: '/api/purchases', headers: {}, body })
  }

  #shuffledTypes(): string[] {
    const { room, seatTypeIds } = this.#market
    const first = Math.floor(room.random() * seatTypeIds.length)
    return [...seatTypeIds.slice(first), ...seatTypeIds.slice(0, first)]
  }

  /** Goes on with the same key until a server gives a final answer. */
  async #ask(action: Action, request: Omit<HttpRequest, 'url'> & { path: string }): Promise<HttpAnswer> {
    const { room, patienceMs, lookMs } = this.#market
    const { path, headers, ...rest } = request
    const key = randomUUID()
    const proofs = { ...headers, authorization: `Bearer ${this.#visitor.accessToken}`, 'idempotency-key': key }
    const until = performance.now() + patienceMs
    const passing: string[] = []
    while (performance.now() < until) {
      const call = room.history.begin(this.#visitor.name, action, this.#about(action, key))
      const answer = await room.http
        .send({ ...rest, url: `${this.#anyServer()}${path}`, headers: proofs })
        .catch(() => null)
      if (answer !== null && !isPassing(answer)) {
        const effect = effectIn(answer)
        if (effect === null) call.fail()
        else call.ok({ effect, seats: seatsIn(answer), secrets: secretsIn(answer.body) })
        if (effect !== null) this.#unknown.delete(key)
        return answer
      }
      passing.push(answer === null ? 'nothing' : `${answer.status} ${String(answer.body.code ?? answer.body.status)}`)
      this.#unknown.add(key)
      call.info()
      await delay(lookMs)
    }
    const told = [...Map.groupBy(passing, (one) => one)].map(([one, times]) => `${times.length} × ${one}`).join(', ')
    throw new Error(
      `${this.#visitor.name} got no answer to ${request.method} ${path} in ${patienceMs} ms, only ${told}`,
    )
  }

  /** Asks what became of every call that was not answered at once and was then told to have had no effect. */
  async findOut(): Promise<void> {
    const { name, accessToken, identity } = this.#visitor
    const headers = { authorization: `Bearer ${accessToken}` }
    for (const operation of this.#unknown) {
      const call = this.#market.room.history.begin(name, 'ask', { operation, identity })
      const url = `${this.#anyServer()}/api/operations/${operation}`
      const answer = await waitUntil('it is decided', async () => {
        const told = await this.#market.room.http.send({ method: 'GET', url, headers })
        return told.body.status === 'pending' ? null : told
      })
      call.ok({ effect: answer.status === 404 ? null : effectIn({ ...answer, ...resultIn(answer) }) })
    }
    this.#unknown.clear()
  }

  #about(action: Action, operation: string) {
    const { eventId: event, roomId } = this.#market.room
    const { identity, ticket, fence } = this.#visitor
    const about = { event, operation, identity, ...(ticket === null ? {} : { ticket }) }
    if (action === 'purchase') return about
    return { ...about, room: roomId, ...(fence === undefined ? {} : { fence, isProtected: true }) }
  }

  #anyServer(): string {
    const { room, urls } = this.#market
    return urls[Math.floor(room.random() * urls.length)] ?? ''
  }
}

type Action = 'reserve' | 'purchase'

/** The id of what was made; a payment that was declined was made, too. Null when nothing was. */
function effectIn({ status, body }: HttpAnswer): string | null {
  if (status < 300) return String(body.id)
  return typeof body.purchaseId === 'string' ? body.purchaseId : null
}

/** The seats that are now bought. */
function seatsIn({ body }: HttpAnswer): string[] {
  const items = (body.reservation as { items?: { seatId: string }[] } | undefined)?.items ?? []
  return items.map(({ seatId }) => seatId)
}

/** The answer recorded under a key: 201, or a refusal that counts as an effect. */
function resultIn({ body }: HttpAnswer): Pick<HttpAnswer, 'status' | 'body'> {
  const result = body.result as HttpAnswer['body']
  return { status: result.code === undefined ? 201 : 400, body: result }
}

/** Not an answer for good: come back. */
function isPassing({ status, body }: HttpAnswer): boolean {
  return status === 503 || status === 429 || status === 202 || body.code === 'IN_PROGRESS'
}
