-- One entry of a room's log, as it was copied.
-- Params   $1 room_id uuid, $2 epoch bigint, $3 seq bigint
-- Returns  epoch, seq, at in milliseconds, operation, kind, body; no row when it was not copied
select epoch, seq, (extract(epoch from at) * 1000)::bigint as at, operation, kind, body
  from room_log
 where room_id = $1::uuid and epoch = $2::bigint and seq = $3::bigint
