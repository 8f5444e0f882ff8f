-- Record how far the log has been followed.
-- Params   $1 room_id uuid, $2 seq bigint, $3 chain text, $4 tree_size bigint, $5 tree_peaks bytea
-- Returns  nothing; the caller holds the row's lock
update rooms
   set seq = $2::bigint, chain = $3, tree_size = $4::bigint, tree_peaks = $5::bytea
 where id = $1::uuid
