import { getOrMake } from '../../check.ts'
import type { HistoryRecord, LedgerRecord } from '../../records/records.ts'

export type Payment = Extract<LedgerRecord, { kind: 'payment' }>
export type ProviderEntry = Extract<LedgerRecord, { kind: 'provider' }>
export type Hold = Extract<LedgerRecord, { kind: 'hold' }>

/** The money of a history: payments, the provider's books, and the holds that are sold at the end. */
export class PaymentBook {
  readonly payments = new Map<string, Payment>()
  readonly books = new Map<string, ProviderEntry>()
  readonly holds = new Map<string, Hold>()
  /** Holds that have sold seats at the end, with the record of the sale. */
  readonly sold = new Map<string, LedgerRecord>()
  /** What refunds of seats say about each payment. */
  readonly refunds = new Map<string, { amount: number; kept: number }>()
  readonly #seatsOf = new Map<string, Set<string>>()
  readonly #byHold = new Map<string, Payment[]>()

  see(record: HistoryRecord): void {
    if (record.record !== 'ledger') return
    if (record.kind === 'hold') this.holds.set(record.hold, record)
    else if (record.kind === 'sell') {
      this.sold.set(record.hold, record)
      this.#seatsOf.set(record.hold, new Set(record.seats))
    } else if (record.kind === 'refund') this.#refund(record)
    else if (record.kind === 'provider') this.books.set(record.payment, record)
    else if (record.kind === 'payment') {
      this.payments.set(record.payment, record)
      getOrMake(this.#byHold, record.hold, () => []).push(record)
    }
  }

  /** With its last seat a hold is no longer sold. */
  #refund({ hold, seats, payment, amount = 0, kept = 0 }: Extract<LedgerRecord, { kind: 'refund' }>): void {
    const left = this.#seatsOf.get(hold)
    for (const seat of seats) left?.delete(seat)
    if (left === undefined || left.size === 0) this.sold.delete(hold)
    if (payment === undefined) return
    const sums = getOrMake(this.refunds, payment, () => ({ amount: 0, kept: 0 }))
    sums.amount += amount
    sums.kept += kept
  }

  paymentsOf(hold: string): readonly Payment[] {
    return this.#byHold.get(hold) ?? []
  }
}
