-- Passes that stopped counting before their time: their ticket left the floor, or moved to another device.
-- Params   $1 room_id uuid, the last entry already known: $2 epoch bigint, $3 seq bigint, $4 result_max int (more when the
--          last entry is about many tickets),
--          $5 kept_seconds int: how long a pass may outlive the deadline its ticket had in the end
-- Returns  epoch, seq, number, fence, until: when such a pass has ended in any case; oldest first.
--          A ticket that was never let in has no pass, and a pass that has ended by now needs no mention
with revoked as (
  select log.epoch, log.seq, entry.number,
         case when log.kind = 'moved' then (log.body ->> 'fence')::bigint - 1 else entry.fence end as fence,
         greatest(entry.deadline, entry.session_end, log.at + make_interval(secs => $5::int)) as until
    from room_log as log
   cross join lateral jsonb_array_elements_text(
           case when log.kind = 'expired' then log.body -> 'numbers' else jsonb_build_array(log.body -> 'number') end
         ) as changed (number)
    join queue_entries as entry on entry.room_id = log.room_id and entry.number = changed.number::bigint
   where log.room_id = $1::uuid and (log.epoch, log.seq) > ($2::bigint, $3::bigint)
     and log.kind in ('completed', 'expired', 'moved') and entry.fence is not null
     and (log.kind <> 'moved' or log.body ->> 'fence' is not null)
)
select epoch, seq, number, fence, until
  from revoked
 where until > now()
 order by epoch, seq
 fetch first $4 rows with ties
