create table reservations (
  id         uuid primary key,
  event_id   uuid not null references events (id),
  -- An account or a guest; guests have no row in users, so this is not a foreign key.
  buyer_id   uuid not null,
  status     text not null check (status in ('PENDING_PAYMENT', 'PAID', 'CANCELED', 'EXPIRED', 'REFUNDED')),
  amount     bigint not null check (amount >= 0),
  currency   text not null check (currency ~ '^[A-Z]{3}$'),
  expires_at timestamptz not null,
  paid_at    timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index reservations_by_buyer on reservations (buyer_id, created_at desc);

create table reservation_items (
  reservation_id uuid not null references reservations (id),
  seat_id        uuid not null references seats (id),
  seat_type_id   uuid not null references seat_types (id),
  price          bigint not null check (price >= 0),
  -- True from payment to refund. The index below is what makes selling a seat twice impossible.
  sold           boolean not null default false,
  primary key (reservation_id, seat_id)
);

create unique index reservation_items_sold_once on reservation_items (seat_id) where sold;

create table purchases (
  id             uuid primary key,
  reservation_id uuid not null references reservations (id),
  provider       text not null,
  provider_ref   text,
  status         text not null check (status in ('PROCESSING', 'PAID', 'DECLINED', 'REFUNDED', 'STUCK')),
  amount         bigint not null check (amount >= 0),
  currency       text not null,
  captured       bigint not null default 0 check (captured >= 0),
  refunded       bigint not null default 0 check (refunded between 0 and captured),
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now(),
  unique (provider, provider_ref)
);

-- One row for each idempotency key under which something took effect.
create table operations (
  actor_id    uuid not null,
  key         text not null,
  fingerprint text not null,
  status_code integer,
  answer      jsonb,
  created_at  timestamptz not null default now(),
  primary key (actor_id, key)
);
