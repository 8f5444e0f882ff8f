-- What ended tickets of a room before an entry of its log.
-- Params   $1 room_id uuid, the entry: $2 epoch bigint, $3 seq bigint
-- Returns  the numbers of each such entry, oldest first
select case when kind = 'expired' then body -> 'numbers' else jsonb_build_array(body -> 'number') end as numbers
  from room_log
 where room_id = $1::uuid and (epoch, seq) < ($2::bigint, $3::bigint)
   and (kind in ('expired', 'completed') or kind = 'corrected' and body ->> 'state' = 'completed')
 order by epoch, seq
