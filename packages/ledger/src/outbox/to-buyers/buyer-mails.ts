import type { Kysely } from 'kysely'
import { inTransaction, loadStatement, type Primary, type Row, runStatement, type Schema } from '../../engine/index.ts'
import { recordAction } from '../../trail/index.ts'

const TELL_BUYERS = loadStatement(import.meta.url, 'tell-buyers.sql')
const COUNT_BUYERS = loadStatement(import.meta.url, 'count-buyers.sql')
const LIST_MAIL = loadStatement(import.meta.url, 'list-mail.sql')
/** More in a day would be taken for spam. */
const MAILS_A_DAY_MAX = 5

export type BuyerMail = Row<'buyer_mails'>

interface BuyerMailDraft {
  /** Drawn by the sender: the same id is the same mail. */
  readonly id: string
  readonly eventId: string
  readonly by: string
  readonly subject: string
  readonly body: string
}

type MailedBuyers = { readonly status: 'mailed'; readonly mail: BuyerMail } | { readonly status: 'too_many' | 'taken' }

/** Writes a mail to every buyer of an event; it goes out like all other news. Asked for again, it is the same mail. */
export async function mailBuyers(ledger: Primary, draft: BuyerMailDraft): Promise<MailedBuyers> {
  const { id, eventId, by, subject, body } = draft
  return await inTransaction<MailedBuyers>(ledger, async (transaction) => {
    const { db } = transaction
    // Mail that is asked for twice at once: the second waits here, and finds the first.
    await db.selectFrom('events').select('id').where('id', '=', eventId).forNoKeyUpdate().execute()
    const known = await db.selectFrom('buyer_mails').selectAll().where('id', '=', id).executeTakeFirst()
    if (known !== undefined) return known.event_id === eventId ? { status: 'mailed', mail: known } : { status: 'taken' }
    if ((await countBuyers(db, eventId)).sentToday >= MAILS_A_DAY_MAX) return { status: 'too_many' }
    const told = await transaction.run(TELL_BUYERS, [id, eventId])
    const row = { id, event_id: eventId, sent_by: by, subject, body, recipients: told.length }
    const mail = await db.insertInto('buyer_mails').values(row).returningAll().executeTakeFirstOrThrow()
    await recordAction(db, { actorId: by, kind: 'buyers.mailed', eventId, after: { subject, recipients: told.length } })
    return { status: 'mailed', mail }
  })
}

export async function readBuyerMail(db: Kysely<Schema>, id: string): Promise<BuyerMail | null> {
  return (await db.selectFrom('buyer_mails').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

interface Buyers {
  /** How many orders a mail would go to now. */
  readonly recipients: number
  readonly sentToday: number
}

export async function countBuyers(db: Kysely<Schema>, eventId: string): Promise<Buyers> {
  const [buyers] = await runStatement<Buyers>(db, COUNT_BUYERS, [eventId])
  if (buyers === undefined) throw new Error('A statement that always returns a row returned none')
  return buyers
}

/** A mail to a buyer, and how far it got. */
export interface MailDelivery {
  readonly id: string
  readonly position: number
  readonly type: string
  readonly createdAt: Date
  readonly attempts: number
  readonly problem: string | null
  readonly deliveredAt: Date | null
  readonly givenUpAt: Date | null
  readonly address: string | null
}

export function listMail(
  db: Kysely<Schema>,
  { eventId, before, max }: { readonly eventId: string; readonly before: number | null; readonly max: number },
): Promise<MailDelivery[]> {
  return runStatement<MailDelivery>(db, LIST_MAIL, [eventId, before, max])
}
