-- Free seats of types that have no numbers, as many of each as are wanted, in the order of the plan.
-- Params   $1 event_id uuid; one element for each type: $2 seat_type_ids uuid[], $3 quantities int[],
--          $4 ordinals int[], before which there are none
-- Returns  a row for each seat, as read-seats.sql, by type and ordinal
select free.*
  from unnest($2::uuid[], $3::int[], $4::int[]) as wanted (seat_type_id, quantity, free_from)
 cross join lateral (
         select id, seat_type_id as "seatTypeId", status, reservation_id as "reservationId", held_until as "heldUntil",
                row_label as row, seat_number as number, ordinal
           from seats
          where event_id = $1::uuid and ordinal >= wanted.free_from
            and seat_type_id = wanted.seat_type_id and status = 'available' and row_label is null
          order by ordinal
          limit wanted.quantity
       ) as free
