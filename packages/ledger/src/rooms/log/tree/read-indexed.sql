-- Entries of a room's log by their index in the whole log, over all epochs.
-- Params   $1 room_id uuid, $2 from_index bigint, $3 to_index bigint: without this one
-- Returns  index, epoch, seq, at in milliseconds, operation, kind, body; in the order of the index
select room_epochs.first_index + copied.seq - 1 as index, copied.epoch, copied.seq,
       (extract(epoch from copied.at) * 1000)::bigint as at, copied.operation, copied.kind, copied.body
  from room_epochs
 cross join lateral (
         select *
           from room_log
          where room_log.room_id = room_epochs.room_id and room_log.epoch = room_epochs.epoch
            and room_log.seq > $2::bigint - room_epochs.first_index
            and room_log.seq <= $3::bigint - room_epochs.first_index
       ) as copied
 where room_epochs.room_id = $1::uuid
 order by copied.epoch, copied.seq
