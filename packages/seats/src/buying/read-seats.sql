-- Seats of event $1 by id, on the plan.
-- Params   $1 event_id uuid, $2 seat_ids uuid[]
-- Returns  a row for each seat there is: id, seatTypeId, status, reservationId, heldUntil, row, number, ordinal
-- Plans    one look into the index for each seat, however the planner would like to scan the event
select found.*
  from unnest($2::uuid[]) as wanted (id)
 cross join lateral (
         select id, seat_type_id as "seatTypeId", status, reservation_id as "reservationId", held_until as "heldUntil",
                row_label as row, seat_number as number, ordinal
           from seats
          where seats.id = wanted.id and event_id = $1::uuid and not retired
          limit 1
       ) as found
