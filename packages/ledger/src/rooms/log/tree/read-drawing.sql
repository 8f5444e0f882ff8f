-- The entry that drew a ticket, or brought it back when the one that drew it was lost.
-- Params   $1 room_id uuid, $2 number bigint
-- Returns  index in the whole log, epoch, seq, at in milliseconds, operation, kind, body; no row before it is copied
select room_epochs.first_index + room_log.seq - 1 as index, room_log.epoch, room_log.seq,
       (extract(epoch from room_log.at) * 1000)::bigint as at, room_log.operation, room_log.kind, room_log.body
  from queue_entries
  join room_log on room_log.room_id = queue_entries.room_id and room_log.epoch = queue_entries.epoch
               and room_log.seq = queue_entries.drawn_seq
  join room_epochs on room_epochs.room_id = room_log.room_id and room_epochs.epoch = room_log.epoch
 where queue_entries.room_id = $1::uuid and queue_entries.number = $2::bigint
