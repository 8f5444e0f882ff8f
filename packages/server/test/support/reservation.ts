import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer } from './events.ts'
import { forEachMode, type RoomBench } from './room.ts'

export interface WireReservation {
  id: string
  eventId: string
  status: string
  items: { seatId: string; seatTypeId: string; row: string | null; number: number | null; price: number }[]
  amount: number
  currency: string
  expiresAt: string
}

export interface WireSeat {
  id: string
  seatTypeId: string
  row: string | null
  number: number | null
  status: string
}

/** Every visitor is admitted at once and may buy at once. */
export const OPEN_FLOOR = { capacity: 10_000, ratePerMinute: 1_000_000, burst: 10_000, claimSeconds: 0 } as const

/** Two rows of ten, and five places to stand. */
export const HOUSE = {
  totalSeats: undefined,
  seatTypes: [
    { name: 'Stalls', price: 9_000, currency: 'EUR', reservedSeating: true, rows: rows('A', 'B') },
    { name: 'Standing', price: 4_500, currency: 'EUR', totalQuantity: 5, reservedSeating: false },
  ],
}

function rows(...labels: string[]) {
  return labels.map((label) => ({ label, seats: 10 }))
}

/** A visitor on the floor: their credentials, and what they may do. */
export class Buyer {
  readonly #bench: RoomBench
  readonly sale: string
  readonly authorization: string
  readonly ticket: string
  pass: string

  static async admitted(bench: RoomBench, sale: string, authorization = bench.buyer()): Promise<Buyer> {
    const { ticketToken } = await bench.join(sale, authorization)
    const buyer = new Buyer(bench, sale, authorization, ticketToken)
    await buyer.look()
    return buyer
  }

  constructor(bench: RoomBench, sale: string, authorization: string, ticket: string) {
    this.#bench = bench
    this.sale = sale
    this.authorization = authorization
    this.ticket = ticket
    this.pass = ''
  }

  /** Looks until it is their turn, or for ever: the test's own time limit ends it. */
  async look(): Promise<void> {
    while (this.pass === '') {
      const { activeToken } = await this.#bench.status(this.sale, this.ticket)
      if (typeof activeToken === 'string') this.pass = activeToken
      else await delay(10)
    }
  }

  reserve(body: object, key: string | null = randomUUID(), pass: string | null = this.pass): Promise<Answer> {
    return this.#bench.call('POST', `${this.sale}/reservations`, {
      as: this.authorization,
      body,
      ...(pass === null ? {} : { pass }),
      headers: key === null ? {} : { 'idempotency-key': key },
    })
  }

  async reserved(body: object, key: string = randomUUID()): Promise<WireReservation> {
    const answer = await this.reserve(body, key)
    if (answer.statusCode !== 201) throw new Error(`Not reserved: ${answer.body}`)
    return answer.json<WireReservation>()
  }

  /** Says where the e-tickets go, which a guest has to do before paying. */
  sayEmail(reservationId: string, body: object = { email: 'ada@example.com' }): Promise<Answer> {
    return this.#bench.call('PATCH', `/api/reservations/${reservationId}`, { as: this.authorization, body })
  }

  cancel(reservationId: string): Promise<Answer> {
    return this.#bench.call('DELETE', `/api/reservations/${reservationId}`, { as: this.authorization })
  }

  read(path: string): Promise<Answer> {
    return this.#bench.call('GET', path, { as: this.authorization })
  }
}

/** The seats of an event as the ledger has them now. */
export async function seatsOf(bench: RoomBench, sale: string): Promise<WireSeat[]> {
  const answer = await bench.call('GET', `${sale}/seats`, { as: bench.organizer.authorization })
  return answer.json<{ seats: WireSeat[] }>().seats
}

export async function heldSeats(bench: RoomBench, sale: string): Promise<number> {
  return (await seatsOf(bench, sale)).filter(({ status }) => status === 'held').length
}

export async function seatIdsOf(bench: RoomBench, sale: string, row = 'A'): Promise<string[]> {
  return (await seatsOf(bench, sale)).filter((seat) => seat.row === row).map(({ id }) => id)
}

export async function typeIdsOf(bench: RoomBench, sale: string): Promise<string[]> {
  const answer = await bench.call('GET', sale)
  return answer.json<{ seatTypes: { id: string }[] }>().seatTypes.map(({ id }) => id)
}

/** Asks again until it is so; the test's own time limit ends it. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(10)
}

export { forEachMode }
