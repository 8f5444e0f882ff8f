import { randomUUID } from 'node:crypto'
import type { Visitor } from './accounts.ts'
import type { Answer } from './events.ts'
import type { WirePurchase } from './payment.ts'
import type { RoomBench } from './room.ts'

export interface WireDoorSale extends Omit<WirePurchase, 'etickets' | 'reservation'> {
  amount: number
  method: string
  receiptNumber: number | null
  reservation: WirePurchase['reservation'] & { lines: { kind: string; amount: number }[]; tax: number }
  etickets: { id: string; code: string; seatId: string; shortCode: string }[]
}

/** A member of staff who sells at the door. */
export class Seller {
  readonly #bench: RoomBench
  readonly id: string
  readonly authorization: string

  static async hired(bench: RoomBench): Promise<Seller> {
    return new Seller(bench, await bench.member('box_office'))
  }

  constructor(bench: RoomBench, { id, authorization }: Pick<Visitor, 'id' | 'authorization'>) {
    this.#bench = bench
    this.id = id
    this.authorization = authorization
  }

  sell(sale: string, body: object, key: string | null = randomUUID()): Promise<Answer> {
    const headers: Record<string, string> = key === null ? {} : { 'idempotency-key': key }
    return this.#bench.call('POST', `${sale}/sales`, { as: this.authorization, body, headers })
  }

  async sold(sale: string, body: object, key: string = randomUUID()): Promise<WireDoorSale> {
    const answer = await this.sell(sale, { method: 'cash', ...body }, key)
    if (answer.statusCode !== 201) throw new Error(`Not sold: ${answer.body}`)
    return answer.json<WireDoorSale>()
  }
}
