-- Free seats of event $1 in the order of the plan, without those of hidden types. Accessible ones are left out: they are for
-- buyers who ask for them.
-- Params   $1 event_id uuid, $2 result_max int
-- Returns  a row for each seat, as read-seats.sql
select id, seat_type_id as "seatTypeId", status, reservation_id as "reservationId", held_until as "heldUntil",
       row_label as row, seat_number as number, ordinal
  from seats
 where event_id = $1::uuid and status = 'available' and not accessible
   and not exists (select from seat_types where seat_types.id = seat_type_id and hidden)
 order by ordinal
 limit $2
