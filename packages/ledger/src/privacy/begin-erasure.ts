import { faults, SeatwiseError } from '@seatwise/domain'
import { type Kysely, sql } from 'kysely'
import { endSessionsOf } from '../accounts/index.ts'
import type { Schema } from '../engine/index.ts'
import { endMemberships, listOnlyOwned } from '../organizations/index.ts'

/** Where a ticket of the account is. */
export interface TicketOfAccount {
  readonly roomId: string
  readonly number: number
  readonly identity: string
  readonly generation: number
  readonly isLive: boolean
}

/** Rooms that one account was in: far more than anybody visits. */
const TICKETS_MAX = 10_000

/** By which the owner could sign in again. */
const WAYS_IN = ['passkeys', 'recovery_codes', 'sign_in_challenges', 'outside_identities'] as const

/**
 * Takes the person out of an account, ends its sessions, and notes what is left to erase: in one transaction, so that any
 * server can finish it. Refused while a payment runs, and for the last admin or owner.
 */
export async function beginErasure(
  db: Kysely<Schema>,
  userId: string,
  { keptSeconds }: { readonly keptSeconds: number },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const admins = await transaction
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'admin')
      .orderBy('id')
      .forUpdate()
      .execute()
    if (admins.length === 1 && admins[0]?.id === userId) throw new SeatwiseError('LAST_ADMIN')
    if ((await listOnlyOwned(transaction, userId)).length > 0) throw new SeatwiseError('LAST_OWNER')
    const user = await transaction
      .selectFrom('users')
      .select(['email', 'email_key', 'name', 'avatar', 'deleted_at'])
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirst()
    if (user === undefined || user.deleted_at !== null) throw new SeatwiseError('UNAUTHORIZED')
    await refuseWhilePaying(transaction, userId)
    const texts = await textsOf(transaction, userId, [user.email, user.email_key, user.name, user.avatar])
    await transaction
      .insertInto('erasures')
      .values({ user_id: userId, texts })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    for (const table of WAYS_IN) await transaction.deleteFrom(table).where('user_id', '=', userId).execute()
    await endMemberships(transaction, userId)
    await endSessionsOf(transaction, userId, { keptSeconds })
    await transaction
      .updateTable('users')
      .set({
        ...{ email: `deleted-${userId}@invalid`, email_key: `deleted-${userId}@invalid`, name: '-', avatar: null },
        ...{ password_hash: null, role: 'buyer', verified_at: null },
        ...{ deleted_at: sql<Date>`clock_timestamp()`, updated_at: sql<Date>`now()` },
      })
      .where('id', '=', userId)
      .execute()
    if (faults.on) await faults.reach('erase.inside-begin')
  })
}

/** The texts that a deletion which was begun takes out of what is kept. */
export async function textsToErase(db: Kysely<Schema>, userId: string): Promise<readonly string[]> {
  const row = await db.selectFrom('erasures').select('texts').where('user_id', '=', userId).executeTakeFirst()
  return row?.texts ?? []
}

/** The tickets of an account, in whatever room. */
export async function ticketsOfAccount(db: Kysely<Schema>, userId: string): Promise<TicketOfAccount[]> {
  return await db
    .selectFrom('queue_entries')
    .select(['room_id as roomId', 'number', 'identity', 'generation'])
    .select(sql<boolean>`state in ('waiting', 'admitted', 'active')`.as('isLive'))
    .where('user_id', '=', userId)
    .limit(TICKETS_MAX)
    .execute()
}

async function refuseWhilePaying(transaction: Kysely<Schema>, userId: string): Promise<void> {
  const running = await transaction
    .selectFrom('purchases')
    .innerJoin('reservations', 'reservations.id', 'purchases.reservation_id')
    .select('purchases.id')
    .where('reservations.buyer_id', '=', userId)
    .where('purchases.status', 'in', ['PROCESSING', 'REFUNDING', 'STUCK'])
    .limit(1)
    .executeTakeFirst()
  if (running !== undefined) throw new SeatwiseError('PAYMENT_UNDER_WAY')
}

/** The account's own texts, and those under which it bought. */
async function textsOf(
  transaction: Kysely<Schema>,
  userId: string,
  own: readonly (string | null)[],
): Promise<string[]> {
  const addressees = await transaction
    .selectFrom('addressees')
    .innerJoin('reservations', 'reservations.id', 'addressees.reservation_id')
    .select(['addressees.email', 'addressees.name'])
    .distinct()
    .where('reservations.buyer_id', '=', userId)
    .execute()
  const texts = [...own, ...addressees.flatMap(({ email, name }) => [email, name])]
  return [...new Set(texts.filter((text) => text !== null && text !== ''))] as string[]
}
