import { faults } from '@seatwise/domain'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../engine/index.ts'
import { textsToErase } from './begin-erasure.ts'

/** Rows that one statement changes at most: long deletions leave room for buyers in between. */
const BATCH = 500
/** Stands where an address must be. */
const NOBODY = 'deleted@invalid'

/** Deletions that a server began and did not finish, the oldest first. */
export async function listErasures(db: Kysely<Schema>, { olderThanSeconds }: { olderThanSeconds: number }) {
  const old = sql<Date>`clock_timestamp() - make_interval(secs => ${olderThanSeconds})`
  const rows = await db
    .selectFrom('erasures')
    .select('user_id')
    .where('asked_at', '<=', old)
    .orderBy('asked_at')
    .limit(BATCH)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/**
 * Erases what the ledger has of a person whose deletion was begun, batch by batch; repeating it does no harm. Receipts stay:
 * the law makes the seller keep them. Books refer to ids alone, so they still add up.
 */
export async function eraseAccount(db: Kysely<Schema>, userId: string): Promise<void> {
  const texts = await textsToErase(db, userId)
  for (const step of stepsOf(userId, texts)) {
    await inBatches(db, step)
    if (faults.on) await faults.reach('erase.between-steps')
  }
}

/** Notes that nothing is left of a person whose deletion was begun, in the ledger or elsewhere. */
export async function endErasure(db: Kysely<Schema>, userId: string): Promise<void> {
  await db.deleteFrom('erasures').where('user_id', '=', userId).execute()
}

async function inBatches(db: Kysely<Schema>, step: RawBuilder<unknown>): Promise<void> {
  for (;;) {
    const { rows } = await step.execute(db)
    if (rows.length < BATCH) return
  }
}

/** Each changes at most a batch of rows, returns one row for each, and finds none when all is done. */
function* stepsOf(userId: string, texts: readonly string[]): Generator<RawBuilder<unknown>> {
  const orders = sql`(select id from reservations where buyer_id = ${userId})`
  yield sql`
    update room_log set body = (body::jsonb - 'shown')::json from
      (select room_log.room_id, room_log.epoch, room_log.seq from queue_entries
         join room_log on room_log.room_id = queue_entries.room_id and room_log.seq = queue_entries.drawn_seq
        where queue_entries.user_id = ${userId} and room_log.kind = 'joined' and room_log.body::jsonb ? 'shown'
        limit ${BATCH}) as found
     where room_log.room_id = found.room_id and room_log.epoch = found.epoch and room_log.seq = found.seq
    returning 1`
  yield sql`
    update queue_entries
       set name = null, avatar = null, address = null, user_agent = null, metadata = null, shown = null, limit_key = null
     where (room_id, number) in
       (select room_id, number from queue_entries
         where user_id = ${userId}
           and (name is not null or avatar is not null or address is not null or user_agent is not null
                or metadata is not null or shown is not null or limit_key is not null)
         limit ${BATCH})
    returning 1`
  for (const table of ['addressees', 'order_answers', 'ticket_answers'] as const) {
    const name = sql.table(table)
    yield sql`
      delete from ${name} where ctid in
        (select ctid from ${name} where reservation_id in ${orders} limit ${BATCH})
      returning 1`
  }
  const addresses = texts.filter((text) => text.includes('@'))
  const keys = addresses.map((address) => address.normalize('NFKC').toLowerCase())
  yield sql`delete from invitations where email_key = any(${keys}::text[]) returning 1`
  yield sql`delete from sign_in_codes where email_key = any(${keys}::text[]) returning 1`
  yield sql`
    update transfers set email = ${NOBODY}, language = null where id in
      (select id from transfers
        where email <> ${NOBODY} and (accepted_by = ${userId} or email = any(${addresses}::text[])) limit ${BATCH})
    returning 1`
  yield sql`
    update return_requests
       set email = ${NOBODY}, email_key = 'deleted:' || id, language = null,
           status = case when status in ('unconfirmed', 'waiting') then 'left' else status end
     where id in (select id from return_requests where email_key = any(${keys}::text[]) limit ${BATCH})
    returning 1`
  yield sql`
    delete from turn_mails
     where id in (select turn_mails.id from turn_mails
                    join queue_entries on queue_entries.room_id = turn_mails.room_id
                                      and queue_entries.number = turn_mails.number
                   where queue_entries.user_id = ${userId} limit ${BATCH})
    returning 1`
  for (const text of texts) yield* mentionsOf(userId, text)
}

/** Where a text stands in JSON, as a whole value. Stored answers and the trail keep everything else. */
function* mentionsOf(userId: string, text: string): Generator<RawBuilder<unknown>> {
  const literal = JSON.stringify(text)
  const orders = sql`(select id from reservations where buyer_id = ${userId})`
  yield sql`
    update operations set answer = replace(answer::text, ${literal}, '""')::json where (actor_id, key) in
      (select actor_id, key from operations
        where actor_id = ${userId} and position(${literal} in answer::text) > 0 limit ${BATCH})
    returning 1`
  yield sql`
    update purchases set provider_order = replace(provider_order::text, ${literal}, '""')::json where id in
      (select id from purchases
        where reservation_id in ${orders} and position(${literal} in provider_order::text) > 0 limit ${BATCH})
    returning 1`
  yield sql`
    update outbox set payload = replace(payload::text, ${literal}, '""')::json where position in
      (select position from outbox
        where aggregateid in (select id::text from reservations where buyer_id = ${userId})
          and position(${literal} in payload::text) > 0 limit ${BATCH})
    returning 1`
  yield sql`
    update operator_actions
       set before = replace(before::text, ${literal}, '""')::json, after = replace(after::text, ${literal}, '""')::json
     where id in
       (select id from operator_actions
         where position(${literal} in before::text || after::text) > 0
           and (actor_id = ${userId} or subject = ${userId} or ${text.includes('@')}) limit ${BATCH})
    returning 1`
}
