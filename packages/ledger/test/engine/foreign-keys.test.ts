import { forEachLedger } from '@seatwise/testbench'
import { sql } from 'kysely'
import { expect, it } from 'vitest'

/** Columns that name a row and are no foreign key, and what they rest on instead. */
const JUSTIFIED = {
  'an account or a guest; guests have no row': [
    ...['reservations.buyer_id', 'operations.actor_id', 'handover_codes.owner_id', 'sale_sessions.owner_id'],
    ...['queue_entries.guest_id', 'queue_entries.user_id', 'adoptions.guest_id'],
    ...['etickets.holder_id', 'transfers.from_id', 'room_invitations.holder_id'],
  ],
  'written under the lock of the room (D34)': ['room_log.room_id', 'queue_entries.room_id'],
  'the room that admitted the claim; the log may follow later': ['reservations.room_id'],
  'stays known, whatever becomes of the account, the event or the room': [
    ...['operator_actions.actor_id', 'operator_actions.event_id', 'operator_actions.room_id', 'rehearsals.by_id'],
    'door_sales.seller_id',
  ],
  'the books of another company, compared with ours': ['sandbox_payments.purchase_id'],
  'names a row of one of four tables, by its kind': ['mail_links.subject_id'],
  'a session has no row: it lives in its token': ['sale_sessions.session_id'],
}

forEachLedger('foreign keys', (open) => {
  it('[D34] every column that names a row is a foreign key or justified', async () => {
    const ledger = await open()
    const { rows } = await sql<{ name: string }>`
      select tables.relname || '.' || columns.attname as name
        from pg_class as tables
        join pg_attribute as columns on columns.attrelid = tables.oid and columns.attnum > 0 and not columns.attisdropped
       where tables.relkind = 'r'
         and tables.relnamespace = (select relnamespace from pg_class where oid = 'reservations'::regclass)
         and columns.attname like '%\\_id' and columns.atttypid = 'uuid'::regtype
         and not exists (
               select from pg_constraint
                where conrelid = tables.oid and contype = 'f' and columns.attnum = any (conkey))
    `.execute(ledger.db)
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.values(JUSTIFIED).flat().sort())
  })
})
