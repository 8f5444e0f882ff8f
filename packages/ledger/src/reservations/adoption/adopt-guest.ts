import { faults } from '@seatwise/domain'
import { type Kysely, sql } from 'kysely'
import { endGuest } from '../../accounts/index.ts'
import {
  ADOPTION_LOCK_MS,
  inTransaction,
  loadStatement,
  type Primary,
  type Schema,
  type Transaction,
} from '../../engine/index.ts'
import { closeSeatMap, type LockedMap, openSeatMap, type SeatMapChange } from '../../seat-map/index.ts'
import { cancelInside } from '../ending/cancel-reservations.ts'
import type { EndedReservation } from '../ending/end-reservations.ts'
import { chooseOverLimit, type Holding } from './choose-over-limit.ts'

const LOCK_GUEST = loadStatement(import.meta.url, 'lock-guest.sql')
const READ_HOLDINGS = loadStatement(import.meta.url, 'read-holdings.sql')
const MOVE_BELONGINGS = loadStatement(import.meta.url, 'move-belongings.sql')

/** Each further attempt has met an event that the guest came to during the one before. */
const ATTEMPTS_MAX = 5

export interface AdoptGuest<Account> {
  readonly guestId: string
  /** By which rooms know the guest. */
  readonly identity: string
  /** Finds or makes the account, inside the transaction: an account that cannot adopt is not made. */
  readonly account: (db: Kysely<Schema>) => Promise<Account>
  /** How long an access token of the guest may still be valid: all servers refuse it from now on. */
  readonly tokenSeconds: number
  /** How long to wait for a lock; less for tests. */
  readonly lockMs?: number
}

/** What an adoption did to one event's seats. */
export interface AdoptionChange {
  readonly eventId: string
  readonly change: SeatMapChange
  readonly ended: readonly EndedReservation[]
}

export interface Adopted<Account> {
  readonly account: Account
  /** `repeated`: it was the same account's before. `other`: another account's, or ended otherwise; nothing has changed. */
  readonly status: 'adopted' | 'repeated' | 'other'
  /** Reservations that were cancelled because of the limit, also when repeated. */
  readonly canceled: readonly string[]
  readonly changes: readonly AdoptionChange[]
}

/**
 * Gives everything a guest owns to an account, in one transaction: reservations with their purchases and e-tickets, and
 * stored answers. What is paid, or being paid, moves whatever the limit; a pending reservation that would bring the
 * account over it is cancelled. Rules A45 and B50.
 *
 * The locks: first the seat map of each event in which the guest reserved, in ascending order, so that nothing of theirs
 * is paid, cancelled or counted meanwhile; then the guest's own lock, which everything that writes something new for a
 * guest shares (open-seat-map.sql, lock-owner.sql). Whatever comes after finds the adoption, and writes for the account.
 * When the guest reserved in yet another event before the last lock was taken, the transaction rolls back and is retried.
 *
 * Throws when a lock times out: nothing has changed then, and a retry is safe.
 */
export async function adoptGuest<Account extends { readonly id: string }>(
  ledger: Primary,
  options: AdoptGuest<Account>,
): Promise<Adopted<Account>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const adopted = await inTransaction(ledger, (transaction) => adoptInside(transaction, options))
      if (faults.on) await faults.reach('adopt.after-commit')
      return adopted
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isWorthAnother(error)) throw error
    }
  }
}

/** The guest reserved in another event meanwhile, and its seat map is not locked. Rolls the transaction back. */
class AnotherEvent extends Error {
  readonly code = '40001'
}

const UNIQUE_VIOLATION = '23505'

/** Also when the account used one of the guest's keys at the same moment: the next attempt sees it. */
function isWorthAnother(error: unknown): boolean {
  if (error instanceof AnotherEvent) return true
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION
}

/** How long the guest's tokens of the events they stand in, or reserved in, may be valid: a later event prolongs them. */
async function secondsInEvents(db: Kysely<Schema>, identity: string, eventIds: Iterable<string>): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select ceil(extract(epoch from max(coalesce(ends_at, sales_end_at)) + interval '48 hours' - now()))::float8 as seconds
      from events
     where id = any (${[...eventIds]}::uuid[])
        or id in (select rooms.event_id
                    from queue_entries join rooms on rooms.id = queue_entries.room_id
                   where identity = ${identity} and user_id is null and state in ('waiting', 'admitted', 'active'))
  `.execute(db)
  return rows[0]?.seconds ?? 0
}

async function adoptInside<Account extends { readonly id: string }>(
  transaction: Transaction,
  { guestId, identity, account: findAccount, tokenSeconds, lockMs = ADOPTION_LOCK_MS }: AdoptGuest<Account>,
): Promise<Adopted<Account>> {
  await sql`set local lock_timeout = ${sql.lit(lockMs)}`.execute(transaction.db)
  const account = await findAccount(transaction.db)
  // Before any lock: an adoption is final. The end is read first, because an adoption that comes in between is one, too.
  const isEnded = await hasEnded(transaction.db, guestId)
  const earlier = await readAdoption(transaction.db, guestId)
  if (earlier !== null) return { account, changes: [], ...repeat(earlier, account.id) }
  if (isEnded) return { account, changes: [], status: 'other', canceled: [] }
  const maps = await openMaps(transaction, guestId)
  await transaction.run(LOCK_GUEST, [guestId])
  const meanwhile = await readAdoption(transaction.db, guestId)
  if (meanwhile !== null) return { account, changes: [], ...repeat(meanwhile, account.id) }
  if ((await eventsOf(transaction.db, guestId)).some((id) => !maps.has(id))) {
    throw new AnotherEvent('The guest reserved in another event')
  }
  const excess = await findExcess(maps, guestId, account.id)
  const canceled = [...excess.values()].flat()
  const seconds = Math.max(tokenSeconds, await secondsInEvents(transaction.db, identity, maps.keys()))
  await transaction.run(MOVE_BELONGINGS, [guestId, account.id, canceled, identity])
  const changes = await giveUp(maps, excess)
  await endGuest(transaction.db, guestId, seconds)
  if (faults.on) await faults.reach('adopt.inside-transaction')
  return { account, status: 'adopted', canceled, changes }
}

interface EarlierAdoption {
  readonly user_id: string
  readonly canceled: readonly string[]
}

async function readAdoption(db: Kysely<Schema>, guestId: string): Promise<EarlierAdoption | null> {
  const row = await db
    .selectFrom('adoptions')
    .select(['user_id', 'canceled'])
    .where('guest_id', '=', guestId)
    .executeTakeFirst()
  return row ?? null
}

async function hasEnded(db: Kysely<Schema>, guestId: string): Promise<boolean> {
  const guest = db.selectFrom('ended_identities').where('kind', '=', 'guest').where('subject', '=', guestId)
  return (await guest.select('subject').executeTakeFirst()) !== undefined
}

function repeat({ user_id, canceled }: EarlierAdoption, userId: string): Pick<Adopted<unknown>, 'status' | 'canceled'> {
  return user_id === userId ? { status: 'repeated', canceled } : { status: 'other', canceled: [] }
}

async function openMaps(transaction: Transaction, guestId: string): Promise<Map<string, LockedMap>> {
  const maps = new Map<string, LockedMap>()
  for (const eventId of await eventsOf(transaction.db, guestId)) {
    const map = await openSeatMap(transaction, eventId)
    if (map !== null) maps.set(eventId, map)
  }
  return maps
}

/** Whatever became of the reservations: late money may still bring one back. In ascending order. */
async function eventsOf(db: Kysely<Schema>, guestId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('reservations')
    .select('event_id')
    .distinct()
    .where('buyer_id', '=', guestId)
    .orderBy('event_id')
    .execute()
  return rows.map(({ event_id }) => event_id)
}

/** By event, the guest's reservations for which the account has no seats left. */
async function findExcess(
  maps: ReadonlyMap<string, LockedMap>,
  guestId: string,
  userId: string,
): Promise<Map<string, string[]>> {
  const excess = new Map<string, string[]>()
  for (const { transaction, eventId, at } of maps.values()) {
    const parameters = [eventId, guestId, userId, at]
    const [found] = await transaction.run<{ limit: number | null; owned: number; holdings: Holding[] }>(
      READ_HOLDINGS,
      parameters,
    )
    if (found !== undefined) excess.set(eventId, chooseOverLimit(found))
  }
  return excess
}

async function giveUp(
  maps: ReadonlyMap<string, LockedMap>,
  excess: ReadonlyMap<string, readonly string[]>,
): Promise<AdoptionChange[]> {
  const changes: AdoptionChange[] = []
  for (const [eventId, map] of maps) {
    const reservationIds = excess.get(eventId) ?? []
    if (reservationIds.length === 0) continue
    const { ended, moves } = await cancelInside(map, { reservationIds })
    changes.push({ eventId, ended, change: await closeSeatMap(map, { moves }) })
  }
  return changes
}
