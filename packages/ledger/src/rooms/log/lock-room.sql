-- The row that says how far the ledger has followed a room's log.
-- Params   $1 room_id uuid, $2 'off' to find every ticket through its key from now on, 'on' to let the planner choose
-- Returns  epoch, seq, chain, first_index, tree_size, tree_peaks; no row when there is no such room
-- Locks    the room's row: followers and rebuilds of one room take turns, so a late batch cannot land behind a rebuild
select epoch, seq, chain, first_index, tree_size, tree_peaks, set_config('enable_seqscan', $2, true), set_config('enable_hashjoin', $2, true),
       set_config('enable_mergejoin', $2, true)
  from rooms
 where id = $1::uuid
   for update
