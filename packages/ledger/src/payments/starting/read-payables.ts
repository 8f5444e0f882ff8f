import { type Primary, prepareStatement, runPrepared } from '../../engine/index.ts'

const READ_PAYABLES = prepareStatement(import.meta.url, 'read-payables.sql')

/** What a server has to know of a reservation before it starts a payment for it. */
export interface Payable {
  readonly eventId: string
  readonly buyerId: string
  readonly amount: number
  /** How long the event's room holds seats; null when the event has no room. */
  readonly reservationSeconds: number | null
  /** It can still be paid for, and its buyer has not said who it is for. */
  readonly lacksAddressee: boolean
  /** It can still be paid for, no payment has begun, and its event asks for more than an address. */
  readonly isAskedForMore: boolean
}

/** One for each id, in their order; null where there is no such reservation. */
export async function readPayables(
  ledger: Primary,
  reservationIds: readonly string[],
): Promise<readonly (Payable | null)[]> {
  const rows = await runPrepared<Payable & { id: string }>(ledger, READ_PAYABLES, [reservationIds])
  const byId = new Map(rows.map(({ id, ...payable }) => [id, payable]))
  return reservationIds.map((id) => byId.get(id.toLowerCase()) ?? null)
}
