-- The ids of all events, newest first, a page at a time.
-- Params   $1 result_max int, then the last event of the page before, or nulls: $2 created_at, $3 id uuid
-- Returns  id, created_at as text, to the microsecond
select id, created_at::text as created_at
  from events
 where $3::uuid is null or (created_at, id) < ($2::timestamptz, $3::uuid)
 order by created_at desc, id desc
 limit $1
