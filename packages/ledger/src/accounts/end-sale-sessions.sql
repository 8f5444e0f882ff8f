-- End the sessions of devices that took over places of one owner in one room.
-- Params   $1 room_id uuid, $2 owner_id uuid, $3 kept_seconds int: how long a token of them may still be valid
-- Locks    the sessions
with gone as (
  delete from sale_sessions where room_id = $1::uuid and owner_id = $2::uuid returning session_id
)
insert into ended_identities (kind, subject, forget_at)
select 'session', session_id, now() + make_interval(secs => $3::int) from gone
on conflict (kind, subject) do nothing
