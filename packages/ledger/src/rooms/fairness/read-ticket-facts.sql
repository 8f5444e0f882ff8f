-- Where tickets of a room stood and where they came from, a page at a time.
-- Params   $1 room_id uuid, $2 after_number bigint, $3 result_max int
-- Returns  number, place, address or null, "isAdmitted"; by number
select number, place, address, admitted_at is not null as "isAdmitted"
  from queue_entries
 where room_id = $1::uuid and number > $2::bigint and stands_with is null
 order by number
 limit $3::int
