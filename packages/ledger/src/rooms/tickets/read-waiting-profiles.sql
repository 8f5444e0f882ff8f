-- Names and avatars of a room's waiting tickets, a chunk at a time.
-- Params   $1 room_id uuid, $2 number of the last ticket of the chunk before bigint, $3 how many numbers a chunk spans int
-- Returns  one row per ticket by ascending number, none when there are no more
-- Plan     along the primary key, from the first waiting ticket on; see read-live-tickets.sql
with first as (
  select number
    from queue_entries
   where room_id = $1::uuid and number > $2::bigint and state = 'waiting'
   order by number
   limit 1
)
select entry.number, name, avatar
  from first
  join queue_entries as entry
    on entry.room_id = $1::uuid and entry.number between first.number and first.number + $3::int - 1
 where state = 'waiting'
 order by entry.number
