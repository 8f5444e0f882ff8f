-- Give seats the state that was decided for them.
-- Params   one element for each seat, by ascending id: $1 ids uuid[], $2 statuses text[], $3 reservation_ids uuid[] with
--          nulls, $4 held_until timestamptz[] with nulls
-- Returns  nothing
-- Locks    nothing that others wait for: the caller holds the seat map's lock
update seats
   set status = wanted.status, reservation_id = wanted.reservation_id, held_until = wanted.held_until
  from unnest($1::uuid[], $2::text[], $3::uuid[], $4::timestamptz[]) as wanted (id, status, reservation_id, held_until)
 where seats.id = wanted.id
