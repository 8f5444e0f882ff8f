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
  /** Holds sold at the end, with the record of the sale. */
  readonly sold = new Map<string, LedgerRecord>()
  readonly #byHold = new Map<string, Payment[]>()

  see(record: HistoryRecord): void {
    if (record.record !== 'ledger') return
    if (record.kind === 'hold') this.holds.set(record.hold, record)
    else if (record.kind === 'sell') this.sold.set(record.hold, record)
    else if (record.kind === 'refund') this.sold.delete(record.hold)
    else if (record.kind === 'provider') this.books.set(record.payment, record)
    else if (record.kind === 'payment') {
      this.payments.set(record.payment, record)
      getOrMake(this.#byHold, record.hold, () => []).push(record)
    }
  }

  paymentsOf(hold: string): readonly Payment[] {
    return this.#byHold.get(hold) ?? []
  }
}
