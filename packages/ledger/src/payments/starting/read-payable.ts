import { type Primary, prepareStatement, runPrepared } from '../../engine/index.ts'

const READ_PAYABLE = prepareStatement(import.meta.url, 'read-payable.sql')

/** What has to be known of a reservation before a payment for it is started. */
export interface Payable {
  readonly eventId: string
  readonly buyerId: string
  readonly amount: number
  /** How long the event's room holds seats; null when the event has no room. */
  readonly reservationSeconds: number | null
}

/** Null when there is no such reservation. */
export async function readPayable(ledger: Primary, reservationId: string): Promise<Payable | null> {
  const [row] = await runPrepared<Payable>(ledger, READ_PAYABLE, [reservationId])
  return row ?? null
}
