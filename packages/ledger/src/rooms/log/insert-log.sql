-- Append consecutive entries to the ledger's copy of a room's log.
-- Params   $1 room_id uuid, $2 epoch bigint, $3 seq of the first bigint, then one element for each entry: $4 at in
--          milliseconds bigint[], $5 operation text[], $6 kind text[], $7 body text (JSON, a line each), $8 hash text[]
-- Returns  nothing
insert into room_log (room_id, epoch, seq, at, operation, kind, body, hash)
select $1::uuid, $2::bigint, $3::bigint + entry.place - 1, timestamptz 'epoch' + entry.at * interval '1 millisecond',
       entry.operation, entry.kind, entry.body::jsonb, entry.hash
  from unnest($4::bigint[], $5::text[], $6::text[], string_to_array($7, e'\n'), $8::text[])
       with ordinality as entry (at, operation, kind, body, hash, place)
