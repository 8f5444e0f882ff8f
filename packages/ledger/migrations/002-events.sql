create table events (
  id              uuid primary key,
  organizer_id    uuid references users (id),
  name            text not null check (name <> ''),
  code            text,
  description     text not null default '',
  location        text not null default '',
  starts_at       timestamptz,
  ends_at         timestamptz,
  sales_start_at  timestamptz not null,
  sales_end_at    timestamptz not null,
  additional_info jsonb not null default '{}',
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  check (sales_end_at > sales_start_at),
  check (ends_at >= starts_at)
);

-- Keyset pagination of the list, newest first.
create index events_by_creation on events (created_at desc, id desc);

create table seat_types (
  id               uuid primary key,
  event_id         uuid not null references events (id),
  position         integer not null,
  name             text not null check (name <> ''),
  description      text not null default '',
  price            bigint not null check (price >= 0),
  currency         text not null check (currency ~ '^[A-Z]{3}$'),
  reserved_seating boolean not null,
  -- The rows of numbered seats as the organiser drew them; null where seats have no number. Only editing an event
  -- changes it, in the transaction that changes the seats themselves.
  layout           jsonb check ((layout is not null) = reserved_seating),
  unique (event_id, position),
  unique (event_id, id)
);

-- Every sellable unit is a row, numbered or not, so that what is left is a count and not a counter that drifts.
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
  -- How often this seat changed, counted by the trigger below. The version of a seat map is the sum over its seats:
  -- it grows with every change, agrees with the snapshot it is read in, and no two claims meet in one hot row.
  revision       integer not null default 1,
  foreign key (event_id, seat_type_id) references seat_types (event_id, id),
  unique (event_id, ordinal),
  unique nulls distinct (seat_type_id, row_label, seat_number),
  check ((row_label is null) = (seat_number is null)),
  check ((status in ('held', 'sold')) = (reservation_id is not null)),
  check ((status = 'held') = (held_until is not null)),
  check (status = 'blocked' or not retired)
);

create function count_seat_change() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  return new;
end
$$;

create trigger seats_count_change before update on seats
  for each row when (old.* is distinct from new.*) execute function count_seat_change();
