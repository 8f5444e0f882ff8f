-- Rooms that issue tokens in another waiting room's format, so that a site wired for its connectors need not change.
create table connectors (
  room_id       uuid primary key references rooms (id),
  kind          text not null check (kind in ('known-user-v3')),
  -- The names by which the site's connector speaks of itself and of the room.
  customer_id   text not null check (customer_id <> ''),
  event_id      text not null check (event_id <> ''),
  -- Encrypted with a key derived from the secret named by sealed_with.
  sealed_secret text not null,
  sealed_with   text not null,
  created_at    timestamptz not null default now(),
  unique (customer_id, event_id)
);
