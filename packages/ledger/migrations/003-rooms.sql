-- The waiting room of one event, or of a site without one. `epoch` is the authority on which incarnation of the
-- room's line counts: whoever rebuilds a line raises it here first.
create table rooms (
  id          uuid primary key,
  event_id    uuid unique references events (id),
  owner_id    uuid references users (id),
  name        text not null check (name <> ''),
  target      text,
  settings    jsonb not null,
  paused      boolean not null default false,
  message     text,
  epoch       bigint not null default 0,
  -- How far the ledger has followed the log of this epoch.
  seq         bigint not null default 0,
  -- Hash of the last entry followed, in whatever epoch; the next one continues the chain.
  chain       text not null default '',
  archived_at timestamptz,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  check ((event_id is null) <> (target is null))
);

-- The ledger's copy of each room's log. (room, epoch, seq) is unique, so nothing is ever copied twice.
-- No foreign key to the room, here and below: whoever writes holds the room's row locked, rooms are never deleted, and
-- checking it again for each of a million entries took a quarter of PostgreSQL's time.
create table room_log (
  room_id   uuid not null,
  epoch     bigint not null,
  seq       bigint not null,
  at        timestamptz not null,
  operation text not null,
  kind      text not null,
  body      jsonb not null,
  -- Over the entry's public content and the hash before it: what makes the audit checkable by anybody.
  hash      text not null,
  primary key (room_id, epoch, seq)
);

-- Each incarnation of a room's line: why it began, and what the ledger knew when it ended.
create table room_epochs (
  room_id      uuid not null references rooms (id),
  epoch        bigint not null,
  reason       text not null,
  began_at     timestamptz not null default now(),
  -- The first ticket number this epoch could give out.
  first_number bigint not null,
  -- The highest ticket number the ledger knew of when the epoch ended; null while it lasts. A ticket token of this
  -- epoch may bring its ticket back only above this mark.
  mark         bigint,
  primary key (room_id, epoch)
);

-- Everyone who ever drew a ticket, as the followed log left them.
create table queue_entries (
  room_id     uuid not null,
  number      bigint not null,
  identity    text not null,
  user_id     uuid,
  -- Who a guest is, for whom seats may be reserved when they are let in. Guests have no row in users.
  guest_id    uuid,
  class       smallint not null default 0 check (class between 0 and 3),
  place       double precision not null,
  state       text not null check (state in ('waiting', 'admitted', 'active', 'completed', 'expired')),
  reason      text check (reason in ('no_show', 'timeout', 'cancelled', 'terminated', 'sold_out', 'sale_ended')),
  away        boolean not null default false,
  generation  integer not null default 1,
  epoch       bigint not null,
  fence       bigint,
  extended    boolean not null default false,
  -- Seats of its pending reservation, while it is on the floor.
  reserved_seats integer not null default 0 check (reserved_seats >= 0),
  code        text,
  limit_key   text,
  shown       jsonb,
  joined_at   timestamptz not null,
  admitted_at timestamptz,
  entered_at  timestamptz,
  deadline    timestamptz,
  -- When the session itself ends, while a reservation's deadline stands in its place.
  session_end timestamptz,
  ended_at    timestamptz,
  name        text,
  avatar      text,
  address     text,
  user_agent  text,
  metadata    jsonb,
  primary key (room_id, number),
  check ((state = 'expired') = (reason is not null))
);

-- A priority code is good for one ticket.
create unique index queue_entries_code on queue_entries (room_id, code) where code is not null;

-- One live ticket for each identity and room.
create unique index queue_entries_live_identity on queue_entries (room_id, identity)
  where state in ('waiting', 'admitted', 'active');
