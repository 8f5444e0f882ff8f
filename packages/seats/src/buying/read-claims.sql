-- What the ledger knows about each of some claims on event $1.
-- Params   $1 event_id uuid, then one element for each claim: $2 actor_ids uuid[], $3 keys text[], $4 room_ids uuid[],
--          $5 ticket_numbers bigint[], $6 buyer_ids uuid[]; and $7 at timestamptz
-- Returns  a row for each claim, in their order: fingerprint and answer of its operation, or nulls; the highest fence
--          seen of its ticket, or null; the ticket's pending reservation with its deadline, or nulls, and whether it is
--          being paid for; how many seats of the event the buyer holds at that time, or owns
select operations.fingerprint,
       operations.answer,
       greatest(seen.fence, queue_entries.fence) as fence,
       pending.id as "pendingId",
       pending.expires_at as "pendingUntil",
       paying.reservation_id is not null as "isPaying",
       owned.seats as "seatsOwned"
  from unnest($2::uuid[], $3::text[], $4::uuid[], $5::bigint[], $6::uuid[])
       with ordinality as claim (actor_id, key, room_id, ticket_number, buyer_id, place)
  left join operations on operations.actor_id = claim.actor_id and operations.key = claim.key
  left join queue_entries on queue_entries.room_id = claim.room_id and queue_entries.number = claim.ticket_number
  left join reservations as pending
         on pending.room_id = claim.room_id and pending.ticket_number = claim.ticket_number
        and pending.status = 'PENDING_PAYMENT'
  left join purchases as paying
         on paying.reservation_id = pending.id and paying.status in ('PROCESSING', 'PAID', 'STUCK')
 cross join lateral (
         select max(fence) as fence
           from reservations
          where reservations.room_id = claim.room_id and reservations.ticket_number = claim.ticket_number
       ) as seen
 cross join lateral (
         select count(*) as seats
           from reservations
           join reservation_items on reservation_items.reservation_id = reservations.id
          where reservations.buyer_id = claim.buyer_id and reservations.event_id = $1::uuid
            and (reservations.status = 'PAID'
                 or (reservations.status = 'PENDING_PAYMENT' and reservations.expires_at > $7::timestamptz))
       ) as owned
 order by claim.place
