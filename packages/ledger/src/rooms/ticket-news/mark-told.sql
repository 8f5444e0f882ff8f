-- A webhook was told of a room's log up to an entry.
-- Params   $1 webhook_id uuid, $2 room_id uuid, $3 epoch bigint, $4 seq bigint
-- Returns  nothing
insert into ticket_news (webhook_id, room_id, epoch, seq)
values ($1::uuid, $2::uuid, $3::bigint, $4::bigint)
on conflict (webhook_id, room_id) do update set epoch = excluded.epoch, seq = excluded.seq, told_at = clock_timestamp()
