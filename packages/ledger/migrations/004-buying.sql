-- No foreign key to the event here, nor to the seat and its type below: whoever writes holds the event's seat map locked
-- and has just read them, none of them is ever deleted, and what a seat can be sold for twice does not hang on it.
-- Checking each again took a fifth of PostgreSQL's time for a reservation.
create table reservations (
  id         uuid primary key,
  event_id   uuid not null,
  -- An account or a guest; guests have no row in users, so this is not a foreign key.
  buyer_id   uuid not null,
  status     text not null check (status in ('PENDING_PAYMENT', 'PAID', 'CANCELED', 'EXPIRED', 'REFUNDED')),
  amount     bigint not null check (amount >= 0),
  currency   text not null check (currency ~ '^[A-Z]{3}$'),
  expires_at timestamptz not null,
  paid_at    timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- What the items below hang on to.
  unique (id, status),
  check ((status in ('PAID', 'REFUNDED')) = (paid_at is not null))
);

create index reservations_by_buyer on reservations (buyer_id, created_at desc);

-- The seats of a reservation. Here a double sale ends, whatever the code above does wrong: an item follows its
-- reservation's status by itself, `sold` follows from that status, and a seat has at most one sold item. So a second
-- reservation of a seat cannot become PAID before the first is refunded.
create table reservation_items (
  reservation_id     uuid not null,
  seat_id            uuid not null,
  seat_type_id       uuid not null,
  price              bigint not null check (price >= 0),
  reservation_status text not null,
  sold               boolean not null generated always as (reservation_status = 'PAID') stored,
  primary key (reservation_id, seat_id),
  foreign key (reservation_id, reservation_status) references reservations (id, status) on update cascade
);

create unique index reservation_items_sold_once on reservation_items (seat_id) where sold;

-- A seat is held or sold only by a reservation that has it among its items.
alter table seats
  add foreign key (reservation_id, id) references reservation_items (reservation_id, seat_id);

create table purchases (
  id             uuid primary key,
  reservation_id uuid not null references reservations (id),
  provider       text not null,
  provider_ref   text,
  status         text not null check (status in ('PROCESSING', 'PAID', 'DECLINED', 'REFUNDED', 'STUCK')),
  amount         bigint not null check (amount >= 0),
  currency       text not null check (currency ~ '^[A-Z]{3}$'),
  captured       bigint not null default 0 check (captured >= 0),
  refunded       bigint not null default 0 check (refunded between 0 and captured),
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now(),
  unique (provider, provider_ref),
  check (status <> 'PAID' or captured = amount),
  check (status <> 'REFUNDED' or refunded = captured)
);

-- A reservation is paid for once: no second payment while one is under way, undecided or done.
create unique index purchases_one_at_a_time on purchases (reservation_id)
  where status in ('PROCESSING', 'PAID', 'STUCK');

-- One row for each idempotency key under which something took effect.
create table operations (
  actor_id    uuid not null,
  key         text not null,
  fingerprint text not null,
  status_code integer,
  answer      jsonb,
  created_at  timestamptz not null default now(),
  primary key (actor_id, key),
  check ((status_code is null) = (answer is null))
);
