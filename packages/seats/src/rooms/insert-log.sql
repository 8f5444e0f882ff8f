-- Append consecutive entries to the ledger's copy of a room's log.
-- Params   $1 room_id uuid, $2 epoch bigint, then one array element for each entry: $3 seq bigint[],
--          $4 at in milliseconds bigint[], $5 operation text[], $6 kind text[], $7 body text[] (JSON), $8 hash text[]
-- Returns  nothing
insert into room_log (room_id, epoch, seq, at, operation, kind, body, hash)
select $1::uuid, $2::bigint, entry.seq, timestamptz 'epoch' + entry.at * interval '1 millisecond',
       entry.operation, entry.kind, entry.body::jsonb, entry.hash
  from unnest($3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[])
       as entry (seq, at, operation, kind, body, hash)
