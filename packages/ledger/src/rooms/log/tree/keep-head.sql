-- Keep a signed head, unless there is one of this size.
-- Params   $1 room_id uuid, $2 size bigint, $3 root bytea, $4 kid text, $5 checkpoint text
-- Returns  size, root, at, kid, checkpoint of the new head; no row when there was one of this size
insert into log_heads (room_id, size, root, at, kid, checkpoint)
values ($1::uuid, $2::bigint, $3::bytea, clock_timestamp(), $4, $5)
on conflict (room_id, size) do nothing
returning size, root, at, kid, checkpoint
