import type { Kysely } from 'kysely'
import { recordAction } from '../operators/record-action.ts'
import type { Schema } from '../schema.ts'
import { loadStatement, runStatement } from '../statement.ts'
import { type Eticket, readEticket } from './etickets.ts'

const CHECK_IN = loadStatement(import.meta.url, 'check-in.sql')

export type CheckIn =
  | { readonly status: 'checked_in' | 'already_used'; readonly eticket: Eticket & { readonly checkedInAt: Date } }
  | { readonly status: 'void'; readonly eticket: Eticket }
  | { readonly status: 'unknown' }

/** Lets somebody in. However many doors scan one e-ticket at the same time, one of them is told that it counts. */
export async function checkIn(
  db: Kysely<Schema>,
  { eticketId, by }: { readonly eticketId: string; readonly by: string },
): Promise<CheckIn> {
  const won = await db.transaction().execute(async (transaction) => {
    const [row] = await runStatement<{ checkedInAt: Date; eventId: string }>(transaction, CHECK_IN, [eticketId, by])
    if (row === undefined) return undefined
    const { eventId } = row
    await recordAction(transaction, { actorId: by, kind: 'eticket.checked_in', eventId, subject: eticketId })
    return row
  })
  const eticket = await readEticket(db, eticketId)
  if (eticket === null) return { status: 'unknown' }
  if (won !== undefined) return { status: 'checked_in', eticket: { ...eticket, checkedInAt: won.checkedInAt } }
  const { checkedInAt } = eticket
  // Void says more than used: whoever was refunded is not to come in, whether or not they were here before.
  if (eticket.isVoid || checkedInAt === null) return { status: 'void', eticket }
  return { status: 'already_used', eticket: { ...eticket, checkedInAt } }
}
