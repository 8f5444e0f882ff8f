-- Free seats of some types, in the order of the plan, and the seats they are compared with whatever their state.
-- Params   $1 seat_type_ids uuid[], $2 seat_ids uuid[], $3 result_max int for each type
-- Returns  a row for each seat, as read-seats.sql, with along and accessible
select equal.*
  from unnest($1::uuid[]) as wanted (seat_type_id)
 cross join lateral (
         select id, seat_type_id as "seatTypeId", status, reservation_id as "reservationId", held_until as "heldUntil",
                row_label as row, seat_number as number, ordinal, along, accessible
           from seats
          where seat_type_id = wanted.seat_type_id and not retired
            and (status = 'available' or id = any ($2::uuid[]))
          order by ordinal
          limit $3
       ) as equal
