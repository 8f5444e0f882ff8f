-- Rooms in which a guest has a live ticket.
-- Params   $1 identity text, $2 result_max int
-- Returns  "roomId"
select room_id as "roomId"
  from queue_entries
 where identity = $1 and user_id is null and state in ('waiting', 'admitted', 'active')
 limit $2
