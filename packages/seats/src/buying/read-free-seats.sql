-- Free seats of types that have no numbers, as many of each as are wanted, in the order of the plan.
-- Params   $1 seat_type_ids uuid[], $2 quantities int[]
-- Returns  a row for each seat, as read-seats.sql
select free.*
  from unnest($1::uuid[], $2::int[]) as wanted (seat_type_id, quantity)
 cross join lateral (
         select id, seat_type_id as "seatTypeId", status, reservation_id as "reservationId", held_until as "heldUntil",
                row_label as row, seat_number as number, ordinal
           from seats
          where seat_type_id = wanted.seat_type_id and status = 'available' and row_label is null
          order by ordinal
          limit wanted.quantity
       ) as free
