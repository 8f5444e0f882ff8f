-- The baseline, part 2 of 4: seats, rooms, tickets.

-- SEATS ----------------------------------------------------------------------------------------------------------------

-- One row for each event, locked by every transaction that changes seats of the event. So all changes happen one after
-- the other, each has a version, the counts are exact, and no two claims can wait for each other.
create table seat_maps (
  event_id  uuid primary key references events (id),
  version   bigint not null default 1,
  available integer not null check (available >= 0),
  held      integer not null check (held >= 0),
  sold      integer not null check (sold >= 0),
  blocked   integer not null check (blocked >= 0),
  -- {seat type: ordinal}: no unnumbered seat of that type before that one is free. Where to look for the next free one
  -- without an index over what is free, which every claimed seat would have to be put into and taken out of.
  free_from jsonb not null default '{}'
);

-- What each version changed, for readers that have the version before. One row for each transaction and not a version for
-- each seat: that would put every claimed seat into one more index. `json` and not `jsonb`, here and for answers and news:
-- it is written once, read whole and never looked into; as text it costs half as much to make and to hand out.
create table seat_changes (
  event_id uuid not null references seat_maps (event_id),
  version  bigint not null,
  at       timestamptz not null,
  -- [[seat id, status], …]; null when the plan itself was changed and has to be read anew.
  changes  json,
  primary key (event_id, version)
);
create index seat_changes_by_age on seat_changes (at);

-- Every sellable unit is a row, numbered or not, so that what is left is a count and not a counter that drifts. No index
-- knows what state a seat is in, so that a change of it can stay on its page; pages of a new plan leave room for that.
create table seats (
  id             uuid primary key default gen_random_uuid(),
  -- Exists because its seat type does, see the foreign key below: one check for each seat is enough.
  event_id       uuid not null,
  seat_type_id   uuid not null,
  -- The seat's place in the event's list: the order of maps, and of unnumbered claims.
  ordinal        integer not null,
  row_label      text,
  seat_number    integer,
  x              real,
  y              real,
  accessible     boolean not null default false,
  status         text not null default 'available' check (status in ('available', 'held', 'sold', 'blocked')),
  reservation_id uuid,
  held_until     timestamptz,
  -- A seat that was taken off the plan. Rows are never deleted: reservations of the past point at them.
  retired        boolean not null default false,
  foreign key (event_id, seat_type_id) references seat_types (event_id, id),
  unique (event_id, ordinal),
  unique nulls distinct (seat_type_id, row_label, seat_number),
  check ((row_label is null) = (seat_number is null)),
  check ((status in ('held', 'sold')) = (reservation_id is not null)),
  check ((status = 'held') = (held_until is not null)),
  check (status = 'blocked' or not retired)
) with (fillfactor = 50);

-- ROOMS ----------------------------------------------------------------------------------------------------------------

-- The waiting room of one event, or of a site without one. `epoch` is the authority on which incarnation of the
-- room's line counts: a server that rebuilds a line raises it here first.
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
-- No foreign key to the room, here and in queue_entries: the follower writes only while it holds the room's row locked
-- (lock-room.sql, rule D34), rooms are never deleted, and checking the row again for each of a million entries took a quarter
-- of PostgreSQL's time.
create table room_log (
  room_id   uuid not null,
  epoch     bigint not null,
  seq       bigint not null,
  at        timestamptz not null,
  operation text not null,
  kind      text not null,
  body      jsonb not null,
  -- Over the entry's public content and the hash before it: it makes the audit verifiable for everyone.
  hash      text not null,
  -- When the copying of the entry began, by the ledger's clock. While copying takes too long no visitor is let in, and
  -- an operator who asks afterwards why finds it here.
  copied_at timestamptz default now(),
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

-- Every ticket that was ever drawn, as the followed log left it. A ticket changes four or five times, and none of it is in
-- an index: with room left in its page, the indexes need not hear of it, which halves the time of the follower's changes.
create table queue_entries (
  room_id        uuid not null,
  number         bigint not null,
  -- Means nothing in any language: compared byte by byte, each one that is drawn costs a tenth less to write.
  identity       text collate "C" not null,
  user_id        uuid,
  -- The guest for whom seats may be reserved.
  guest_id       uuid,
  class          smallint not null default 0 check (class between 0 and 3),
  place          double precision not null,
  state          text not null check (state in ('waiting', 'admitted', 'active', 'completed', 'expired')),
  reason         text check (reason in ('no_show', 'timeout', 'cancelled', 'terminated', 'sold_out', 'sale_ended')),
  away           boolean not null default false,
  generation     integer not null default 1,
  epoch          bigint not null,
  fence          bigint,
  extended       boolean not null default false,
  -- Seats of its pending reservation, while it is on the floor.
  reserved_seats integer not null default 0 check (reserved_seats >= 0),
  code           text,
  limit_key      text,
  shown          jsonb,
  joined_at      timestamptz not null,
  admitted_at    timestamptz,
  entered_at     timestamptz,
  deadline       timestamptz,
  -- When the session itself ends, while a reservation's deadline stands in its place.
  session_end    timestamptz,
  ended_at       timestamptz,
  name           text,
  avatar         text,
  address        text,
  user_agent     text,
  metadata       jsonb,
  primary key (room_id, number),
  check ((state = 'expired') = (reason is not null))
) with (fillfactor = 50);
-- A priority code is good for one ticket.
create unique index queue_entries_code on queue_entries (room_id, code) where code is not null;
-- One live ticket for each identity and room.
create unique index queue_entries_live_identity on queue_entries (room_id, identity)
  where state in ('waiting', 'admitted', 'active');
-- Finds the tickets of a guest who signs in, in every room; only guests' live tickets are in it, so it stays small.
create index queue_entries_live_guest on queue_entries (identity)
  where user_id is null and state in ('waiting', 'admitted', 'active');

-- Codes that take a place to another device: one for each ticket, the newest, of which only a keyed hash is kept.
create table handover_codes (
  room_id       uuid not null references rooms (id),
  ticket_number bigint not null,
  code_hash     text not null,
  -- What the ticket token of the first device proved: a code is good for this generation of the ticket only.
  identity      text not null,
  generation    integer not null,
  -- The account or the guest behind the ticket.
  owner_id      uuid not null,
  is_guest      boolean not null,
  expires_at    timestamptz not null,
  -- The operation that used it. The same one may ask again while the code lasts.
  used_by       text,
  primary key (room_id, ticket_number),
  unique (room_id, code_hash)
);
create index handover_codes_by_end on handover_codes (expires_at);

-- Sessions that came with places which were handed over, until their tokens expire: an owner who takes the place back ends
-- them, and the token of the other device is the only other place where the session's id is.
create table sale_sessions (
  session_id uuid primary key,
  room_id    uuid not null references rooms (id),
  -- The account or the guest that the session acts for.
  owner_id   uuid not null,
  forget_at  timestamptz not null
);
create index sale_sessions_by_owner on sale_sessions (room_id, owner_id);
create index sale_sessions_by_end on sale_sessions (forget_at);

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

-- How an organiser's pages look. The pages adapt the colour until it can be read; everything else is shown as text.
create table brands (
  room_id    uuid primary key references rooms (id),
  colour     text check (colour ~ '^#[0-9a-f]{6}$'),
  logo       text check (logo ~ '^https://' and length(logo) <= 512),
  text       text check (length(text) <= 2000),
  updated_at timestamptz not null default now()
);
