-- When the log of a room was first signed up to an entry.
-- Params   $1 room_id uuid, $2 size bigint: of the smallest tree that has the entry
-- Returns  one row: at in milliseconds, or null when no head covers it yet
select (extract(epoch from min(at)) * 1000)::bigint as at
  from log_heads
 where room_id = $1::uuid and size >= $2::bigint
