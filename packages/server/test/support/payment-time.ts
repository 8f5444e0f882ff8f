import { type Ledger, runStatement } from '@seatwise/ledger'

type Database = Ledger['db']

export async function query<Row>(db: Database, sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
  return await runStatement<Row>(db, { name: 'a test', sql }, parameters)
}

/** So much time passes for everything about payments that still waits for something; holds keep theirs. */
export async function letTimePass(db: Database, seconds: number): Promise<void> {
  const back = 'make_interval(secs => $1::float8)'
  await query(
    db,
    `with settled as (
       update sandbox_payments set concludes_at = concludes_at - ${back} where status = 'processing'
     ), told as (
       update sandbox_webhooks set due_at = due_at - ${back} where due_at > clock_timestamp()
     ), refunding as (
       update refunds set created_at = created_at - ${back}, asked_at = asked_at - ${back} where state = 'PENDING'
     )
     update purchases
        set created_at = created_at - ${back}, updated_at = updated_at - ${back}, asked_at = asked_at - ${back}
      where status in ('PROCESSING', 'REFUNDING', 'STUCK')`,
    [seconds],
  )
}

/** So much time has passed since the payments of a reservation were decided. */
export async function letDecidedAge(db: Database, reservationId: string, seconds: number): Promise<void> {
  await query(
    db,
    'update purchases set updated_at = updated_at - make_interval(secs => $2::float8) where reservation_id = $1',
    [reservationId, seconds],
  )
}

/**
 * The time of holds is over by the ledger's clock: of one reservation, or of all. One statement under the seat map's lock,
 * as every change to seats: two that ended overlapping holds without it waited for each other's rows in a circle.
 */
export async function endHolds(db: Database, eventId: string, reservationId: string | null = null): Promise<void> {
  await query(
    db,
    `with map as materialized (
       select event_id, clock_timestamp() - interval '1 second' as past from seat_maps where event_id = $1::uuid for update
     ), ended as (
       update reservations set expires_at = past from map
        where reservations.event_id = map.event_id and status = 'PENDING_PAYMENT'
          and ($2::uuid is null or reservations.id = $2::uuid)
     )
     update seats set held_until = past from map
      where seats.event_id = map.event_id and status = 'held' and ($2::uuid is null or reservation_id = $2::uuid)`,
    [eventId, reservationId],
  )
}
