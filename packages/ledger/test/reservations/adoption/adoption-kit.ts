import { randomUUID } from 'node:crypto'
import { type Adopted, adoptGuest, type Ledger } from '@seatwise/ledger'
import { sql } from 'kysely'
import { expect } from 'vitest'

export interface Account {
  readonly id: string
}

export async function makeAccount(ledger: Ledger): Promise<Account> {
  const id = randomUUID()
  const email = `${id}@example.com`
  const row = { id, email, email_key: email, password_hash: '', name: 'Ada', role: 'buyer' } as const
  await ledger.db.insertInto('users').values(row).execute()
  return { id }
}

/** `lockMs` is less than usual in tests that wait for it to be over. */
export async function adopt(
  ledger: Ledger,
  guestId: string,
  account: Account,
  lockMs = 10_000,
): Promise<Adopted<Account>> {
  const adoption = { guestId, identity: guestId, tokenSeconds: 60, lockMs }
  return await adoptGuest(ledger, { ...adoption, account: async () => account })
}

/** How many rows of each table name an owner. */
export async function belongingsOf(ledger: Ledger, ownerId: string) {
  const { rows } = await sql<{ reservations: number; operations: number; purchases: number; etickets: number }>`
    select (select count(*)::int from reservations where buyer_id = ${ownerId}) as reservations,
           (select count(*)::int from operations where actor_id = ${ownerId}) as operations,
           (select count(*)::int from purchases where actor_id = ${ownerId}) as purchases,
           (select count(*)::int from etickets
              join reservations on reservations.id = reservation_id where buyer_id = ${ownerId}) as etickets
  `.execute(ledger.db)
  const [row] = rows
  if (row === undefined) throw new Error('An aggregate always has a row')
  return row
}

export const NOTHING = { reservations: 0, operations: 0, purchases: 0, etickets: 0 }

/** Whatever was the guest's is the account's, all of it. Rule I31. */
export async function expectNothingLeft(ledger: Ledger, guestId: string): Promise<void> {
  expect(await belongingsOf(ledger, guestId)).toEqual(NOTHING)
}

/** How many seats of an event an owner holds, and how many they have paid for. */
export async function seatsOwned(ledger: Ledger, eventId: string, ownerId: string) {
  const { rows } = await sql<{ pending: number; paid: number }>`
    select count(*) filter (where status = 'PENDING_PAYMENT' and expires_at > clock_timestamp())::int as pending,
           count(*) filter (where status = 'PAID')::int as paid
      from reservations
      join reservation_items on reservation_items.reservation_id = reservations.id
     where buyer_id = ${ownerId} and event_id = ${eventId}`.execute(ledger.db)
  return rows[0] ?? { pending: 0, paid: 0 }
}
