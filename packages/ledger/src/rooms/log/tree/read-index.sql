-- The index of an entry in a room's whole log, copied or not yet.
-- Params   $1 room_id uuid, $2 epoch bigint, $3 seq bigint
-- Returns  index, tree_size: how many entries are in the tree; no row when there is no such epoch
select room_epochs.first_index + $3::bigint - 1 as index, rooms.tree_size
  from room_epochs
  join rooms on rooms.id = room_epochs.room_id
 where room_epochs.room_id = $1::uuid and room_epochs.epoch = $2::bigint
