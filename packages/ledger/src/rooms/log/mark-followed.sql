-- Record how far the log has been followed.
-- Params   $1 room_id uuid, $2 seq bigint, $3 chain text
-- Returns  nothing; the caller holds the row's lock
update rooms
   set seq = $2::bigint, chain = $3
 where id = $1::uuid
