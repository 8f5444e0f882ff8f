-- A page of a room's log, over all epochs.
-- Params   $1 room_id uuid, the last entry of the page before: $2 epoch bigint, $3 seq bigint, $4 result_max int
-- Returns  index in the whole log, epoch, seq, at in milliseconds, operation, kind, body, hash, copied_at in milliseconds or
--          null; oldest first
select (select room_epochs.first_index
          from room_epochs
         where room_epochs.room_id = room_log.room_id and room_epochs.epoch = room_log.epoch) + seq - 1 as index,
       epoch, seq, (extract(epoch from at) * 1000)::bigint as at, operation, kind, body, hash,
       (extract(epoch from copied_at) * 1000)::bigint as copied_at
  from room_log
 where room_id = $1::uuid and (epoch, seq) > ($2::bigint, $3::bigint)
 order by epoch, seq
 limit $4
