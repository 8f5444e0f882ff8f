-- How far a room's tree has grown, and its latest head.
-- Params   $1 room_id uuid
-- Returns  one row, or none: tree_size, tree_peaks, log_size: entries that the ledger has copied, log_host, head_age_ms: since
--          the latest head by the ledger's clock; size, root, at, kid, checkpoint of that head, null when there is none
select rooms.tree_size, rooms.tree_peaks, rooms.first_index + rooms.seq as log_size, rooms.log_host,
       (extract(epoch from clock_timestamp() - head.at) * 1000)::float8 as head_age_ms,
       head.size, head.root, head.at, head.kid, head.checkpoint
  from rooms
  left join lateral (
         select * from log_heads where log_heads.room_id = rooms.id order by log_heads.size desc limit 1
       ) as head on true
 where rooms.id = $1::uuid
