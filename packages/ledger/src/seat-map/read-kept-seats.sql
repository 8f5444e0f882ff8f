-- The seats that some reservations hold or own now.
-- Params   $1 reservation_ids uuid[]
-- Returns  a row for each seat, as read-seats.sql, by ascending id
select seats.id, seats.seat_type_id as "seatTypeId", seats.status, seats.reservation_id as "reservationId",
       held_until as "heldUntil", row_label as row, seat_number as number, ordinal
  from reservation_items
  join seats on seats.id = reservation_items.seat_id and seats.reservation_id = reservation_items.reservation_id
 where reservation_items.reservation_id = any ($1::uuid[])
 order by seats.id
