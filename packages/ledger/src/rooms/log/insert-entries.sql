-- Write tickets that were restored, or drawn and changed, as the batch left them.
-- Params   $1 room_id uuid, $2 rows text: a JSON list of objects with the columns below, times in milliseconds
-- Returns  nothing
insert into queue_entries (
  room_id, number, identity, user_id, guest_id, class, place, state, reason, away, generation, epoch, fence, extended,
  reserved_seats, code, earlier_codes, limit_key, shown, joined_at, admitted_at, entered_at, deadline, session_end, ended_at,
  name, avatar, address, user_agent, metadata, drawn_seq, stands_with, left_identity
)
select $1::uuid, number, identity, user_id, guest_id, class, place, state, reason, away, generation, epoch, fence, extended,
       reserved_seats, code, earlier_codes, limit_key, shown,
       timestamptz 'epoch' + joined_at * interval '1 millisecond',
       timestamptz 'epoch' + admitted_at * interval '1 millisecond',
       timestamptz 'epoch' + entered_at * interval '1 millisecond',
       timestamptz 'epoch' + deadline * interval '1 millisecond',
       timestamptz 'epoch' + session_end * interval '1 millisecond',
       timestamptz 'epoch' + ended_at * interval '1 millisecond',
       name, avatar, address, user_agent, metadata, drawn_seq, stands_with, left_identity
  from json_to_recordset($2::json) as row (
    number bigint, identity text, user_id uuid, guest_id uuid, class smallint, place double precision, state text,
    reason text, away boolean, generation integer, epoch bigint, fence bigint, extended boolean, reserved_seats integer,
    code text, earlier_codes text[], limit_key text, shown jsonb, joined_at bigint, admitted_at bigint, entered_at bigint, deadline bigint,
    session_end bigint, ended_at bigint, name text, avatar text, address text, user_agent text, metadata jsonb,
    drawn_seq bigint, stands_with bigint, left_identity text
  )
