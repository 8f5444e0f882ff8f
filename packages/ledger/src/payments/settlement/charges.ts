import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'

const TAKE_UNKNOWN_CHARGES = loadStatement(import.meta.url, 'take-unknown-charges.sql')

/** A sale with a charge that is not known yet, by its reference at the provider. */
export interface UnknownCharge {
  readonly purchaseId: string
  readonly ref: string
}

/** Takes those that are due, so that servers do not ask for the same one. */
export async function takeUnknownCharges(db: Kysely<Schema>, provider: string, max: number): Promise<UnknownCharge[]> {
  return await runStatement<UnknownCharge>(db, TAKE_UNKNOWN_CHARGES, [provider, max])
}

/** Stores what the provider said; the first word counts. */
export async function noteCharge(
  db: Kysely<Schema>,
  purchaseId: string,
  { amount, currency }: { readonly amount: number; readonly currency: string },
): Promise<void> {
  await db
    .updateTable('provider_charges')
    .set({ amount, currency })
    .where('purchase_id', '=', purchaseId)
    .where('amount', 'is', null)
    .execute()
}
