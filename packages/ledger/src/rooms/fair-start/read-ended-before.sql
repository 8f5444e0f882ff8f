-- What ended tickets of a room, or made one of two, before an entry of its log.
-- Params   $1 room_id uuid, the entry: $2 epoch bigint, $3 seq bigint
-- Returns  the numbers of each such entry, oldest first
select case kind when 'expired' then body -> 'numbers'
                 when 'grouped' then jsonb_build_array(body -> 'merged')
                 else jsonb_build_array(body -> 'number')
       end as numbers
  from room_log
 where room_id = $1::uuid and (epoch, seq) < ($2::bigint, $3::bigint)
   and (kind in ('expired', 'completed') or kind = 'grouped' and body ->> 'merged' is not null
        or kind = 'corrected' and body ->> 'state' = 'completed')
 order by epoch, seq
