import { type Primary, prepareStatement, runPrepared, textArray } from '../../engine/index.ts'

const READ_PAYABLES = prepareStatement(import.meta.url, 'read-payables.sql')

/** What a server has to know of a reservation before it starts a payment for it. */
export interface Payable {
  readonly eventId: string
  readonly buyerId: string
  readonly amount: number
  /** How long the event's room holds seats; null when the event has no room. */
  readonly reservationSeconds: number | null
}

/** One for each id, in their order; null where there is no such reservation. */
export async function readPayables(
  ledger: Primary,
  reservationIds: readonly string[],
): Promise<readonly (Payable | null)[]> {
  const rows = await runPrepared<Payable & { id: string }>(ledger, READ_PAYABLES, [
    textArray(reservationIds, (id) => id),
  ])
  const byId = new Map(rows.map(({ id, ...payable }) => [id, payable]))
  return reservationIds.map((id) => byId.get(id.toLowerCase()) ?? null)
}
