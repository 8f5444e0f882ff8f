-- The row that says how far the ledger has followed a room's log.
-- Params   $1 room_id uuid
-- Returns  epoch, seq, chain; no row when there is no such room
-- Locks    the room's row: followers and rebuilds of one room take turns, so a late batch cannot land behind a rebuild
select epoch, seq, chain
  from rooms
 where id = $1::uuid
   for update
