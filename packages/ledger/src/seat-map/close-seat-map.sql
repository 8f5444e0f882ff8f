-- Give the seat map of event $1 its next version, its new counts, and the note of what changed.
-- Params   $1 event_id uuid, $2 version bigint, $3 at timestamptz, $4 changes json or null when the plan was changed,
--          $5 available int, $6 held int, $7 sold int, $8 blocked int, $9 free_from jsonb
-- Returns  offered: how many of the held seats are held for the returns list, counted from the seats as they are now
-- Locks    nothing new: open-seat-map.sql ran before in this transaction
-- Plans    through the few open offers of the event; most events have none
with noted as (
  insert into seat_changes (event_id, version, at, changes)
  values ($1::uuid, $2::bigint, $3::timestamptz, $4::json)
)
update seat_maps
   set version = $2::bigint, available = $5::int, held = $6::int, sold = $7::int, blocked = $8::int,
       free_from = $9::jsonb,
       offered = (select count(*)
                    from offers
                    join reservation_items on reservation_items.reservation_id = offers.reservation_id
                    join seats on seats.id = seat_id and seats.reservation_id = offers.reservation_id
                   where offers.event_id = $1::uuid and offers.ended_at is null and seats.status = 'held')
 where event_id = $1::uuid
returning offered
