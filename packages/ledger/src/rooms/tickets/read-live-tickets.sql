-- Live tickets of a room, a chunk at a time.
-- Params   $1 room_id uuid, $2 number of the last ticket of the chunk before bigint, $3 how many numbers a chunk spans int
-- Returns  one row per ticket by ascending number, none when there are no more; times in milliseconds
-- Plan     along the primary key, from the first live ticket on. A limit alone would let a ledger without statistics, as
--          one is that filled within the hour, sort the whole line for every chunk: a million then take minutes
with first as (
  select number
    from queue_entries
   where room_id = $1::uuid and number > $2::bigint and state not in ('completed', 'expired')
   order by number
   limit 1
)
select entry.number, identity, class, place, generation, state, away, fence, extended,
       reserved_seats as "reservedSeats", limit_key as "limitKey", shown,
       (extract(epoch from joined_at) * 1000)::bigint as "joinedAt",
       (extract(epoch from deadline) * 1000)::bigint as deadline,
       (extract(epoch from session_end) * 1000)::bigint as "sessionEnd"
  from first
  join queue_entries as entry
    on entry.room_id = $1::uuid and entry.number between first.number and first.number + $3::int - 1
 where state not in ('completed', 'expired')
 order by entry.number
