-- Record how far the tree has grown.
-- Params   $1 room_id uuid, $2 tree_size bigint, $3 tree_peaks bytea
-- Returns  nothing; the caller holds the row's lock
update rooms
   set tree_size = $2::bigint, tree_peaks = $3::bytea
 where id = $1::uuid
