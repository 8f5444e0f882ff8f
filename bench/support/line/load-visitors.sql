-- Put visitors into a room's line, as if they had joined one after the other.
-- Params   $1 room_id uuid, $2 first int, $3 last int: their numbers
-- Returns  nothing
insert into queue_entries (room_id, number, identity, place, state, epoch, joined_at, name)
select $1::uuid, number, substr(translate(encode(sha256(number::text::bytea), 'base64'), '+/', '-_'), 1, 16), number,
       'waiting', 1, now(), 'Visitor ' || number
  from generate_series($2::int, $3::int) as number
