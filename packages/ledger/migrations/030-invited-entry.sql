-- Who is invited into rooms that are for invited visitors only: docs/rooms.md.

create table room_invitations (
  room_id   uuid not null references rooms (id) on delete cascade,
  kind      text not null check (kind in ('code', 'address')),
  -- A keyed hash: neither codes nor addresses are stored.
  hash      text not null check (hash ~ '^[A-Za-z0-9_-]{43}$'),
  -- The account or guest that used a code; it is good for them alone from then on.
  holder_id uuid,
  used_at   timestamptz,
  added_at  timestamptz not null default clock_timestamp(),
  primary key (room_id, kind, hash),
  check ((holder_id is null) = (used_at is null))
);
create index room_invitations_held on room_invitations (holder_id, room_id) where holder_id is not null;

update rooms set settings = '{"entry": "anyone"}'::jsonb || settings;
