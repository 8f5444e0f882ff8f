-- Live tickets of a room, a chunk at a time.
-- Params   $1 room_id uuid, $2 number of the last ticket of the chunk before bigint, $3 result_max int
-- Returns  one row per ticket by ascending number; times in milliseconds
select number, identity, class, place, generation, state, away, fence, extended,
       reserved_seats as "reservedSeats", limit_key as "limitKey", shown,
       (extract(epoch from joined_at) * 1000)::bigint as "joinedAt",
       (extract(epoch from deadline) * 1000)::bigint as deadline,
       (extract(epoch from session_end) * 1000)::bigint as "sessionEnd"
  from queue_entries
 where room_id = $1::uuid and number > $2::bigint and state in ('waiting', 'admitted', 'active')
 order by number
 limit $3
