-- Store the places that tickets drew.
-- Params   $1 room_id uuid; one element for each ticket: $2 numbers bigint[], $3 places float8[]
-- Returns  nothing
update queue_entries as entry
   set place = drawn.place
  from unnest($2::bigint[], $3::float8[]) as drawn (number, place)
 where entry.room_id = $1::uuid and entry.number = drawn.number
