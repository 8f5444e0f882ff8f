-- Sessions that came with places which were handed over, until their tokens expire: an owner who takes the place back ends
-- them, and the token of the other device is the only other place where the session's id is.
create table sale_sessions (
  session_id uuid primary key,
  room_id    uuid not null,
  -- The account or the guest that the session acts for.
  owner_id   uuid not null,
  forget_at  timestamptz not null
);
create index sale_sessions_by_owner on sale_sessions (room_id, owner_id);
create index sale_sessions_by_end on sale_sessions (forget_at);
