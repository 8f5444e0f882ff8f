import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../engine/index.ts'

/** Everything that is kept about an account, by table, as it is stored; hashes of secrets are left out. */
export async function exportAccount(db: Kysely<Schema>, userId: string): Promise<Record<string, unknown>> {
  const orders = sql`(select id from reservations where buyer_id = ${userId})`
  const email = sql`(select email_key from users where id = ${userId})`
  const parts: Record<string, RawBuilder<unknown>> = {
    account: sql`select id, email, name, avatar, role, created_at, updated_at, verified_at from users where id = ${userId}`,
    sessions: sql`select id, method, device, begun_at, used_at, ends_at from sessions where user_id = ${userId}`,
    passkeys: sql`select id, name, transports, made_at, used_at from passkeys where user_id = ${userId}`,
    outsideIdentities: sql`select issuer, subject, role, linked_at, used_at from outside_identities where user_id = ${userId}`,
    tickets: sql`select room_id, number, class, place, state, reason, joined_at, admitted_at, entered_at, ended_at, name, avatar,
                        address, user_agent, metadata, shown from queue_entries where user_id = ${userId}`,
    reservations: sql`select * from reservations where buyer_id = ${userId}`,
    items: sql`select * from reservation_items where reservation_id in ${orders}`,
    addressees: sql`select * from addressees where reservation_id in ${orders}`,
    orderAnswers: sql`select * from order_answers where reservation_id in ${orders}`,
    ticketAnswers: sql`select * from ticket_answers where reservation_id in ${orders}`,
    purchases: sql`select id, reservation_id, provider, status, amount, currency, captured, refunded, paid_at, receipt_number,
                          created_at from purchases where reservation_id in ${orders}`,
    receipts: sql`select receipts.* from receipts join purchases on purchases.id = receipts.purchase_id
                   where purchases.reservation_id in ${orders}`,
    etickets: sql`select id, seat_id, event_id, issued_at, checked_in_at, short_code, voided_at from etickets
                   where holder_id = ${userId} or (holder_id is null and reservation_id in ${orders})`,
    transfers: sql`select * from transfers where from_id = ${userId} or accepted_by = ${userId}`,
    returns: sql`select * from return_requests where email_key = ${email}`,
    answers: sql`select key, status_code, answer, created_at from operations where actor_id = ${userId}`,
    acts: sql`select at, kind, event_id, room_id, subject, before, after from operator_actions
               where actor_id = ${userId} or subject = ${userId}`,
  }
  const found: Record<string, unknown> = {}
  for (const [name, query] of Object.entries(parts)) {
    const { rows } = await sql<{ rows: unknown }>`
      select coalesce(json_agg(to_json(part)), '[]') as rows from (${query}) as part`.execute(db)
    found[name] = rows[0]?.rows ?? []
  }
  const [account] = found.account as unknown[]
  return { ...found, account: account ?? null }
}
