-- Visitors who were passed over because they were away, and may still come back.
-- Params   $1 room_id uuid, $2 result_max int
-- Returns  ticket numbers, the earliest place first
select number
  from queue_entries
 where room_id = $1::uuid and state = 'waiting' and away
 order by place
 limit $2
