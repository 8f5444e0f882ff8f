-- The position right before the entry of an index.
-- Params   $1 room_id uuid, $2 index bigint
-- Returns  epoch, seq: 0 for the first entry of an epoch; no row before there is an epoch. An epoch without entries begins
--          where the next one does, hence the newest of those that begin early enough
select epoch, $2::bigint - first_index as seq
  from room_epochs
 where room_id = $1::uuid and first_index <= $2::bigint
 order by epoch desc
 limit 1
