-- Seats of event $1 by id, on the plan.
-- Params   $1 event_id uuid, $2 seat_ids uuid[]
-- Returns  a row for each seat there is: id, seatTypeId, status, reservationId, heldUntil, row, number, ordinal
select id, seat_type_id as "seatTypeId", status, reservation_id as "reservationId", held_until as "heldUntil",
       row_label as row, seat_number as number, ordinal
  from seats
 where id = any ($2::uuid[]) and event_id = $1::uuid and not retired
