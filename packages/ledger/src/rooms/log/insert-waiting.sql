-- Write tickets that were drawn and not changed since: almost all tickets of a rush, hence without the columns that have
-- the same value for each.
-- Params   $1 room_id uuid, $2 epoch bigint, $3 rows text: a JSON list of objects with the columns below, times in
--          milliseconds; the seven from userId on are the profile as the server wrote it, each
--          may be missing
-- Returns  nothing
insert into queue_entries (
  room_id, number, identity, user_id, guest_id, class, place, state, epoch, code, limit_key, shown, joined_at, name, avatar,
  address, user_agent, metadata, drawn_seq
)
select $1::uuid, number, identity, "userId", "guestId", class, place, 'waiting', $2::bigint, code, limit_key, shown,
       timestamptz 'epoch' + joined_at * interval '1 millisecond', name, avatar, address, "userAgent", metadata, drawn_seq
  from json_to_recordset($3::json) as row (
    number bigint, identity text, class smallint, place double precision, joined_at bigint, code text, limit_key text,
    shown jsonb, "userId" uuid, "guestId" uuid, name text, avatar text, address text, "userAgent" text, metadata jsonb,
    drawn_seq bigint
  )
