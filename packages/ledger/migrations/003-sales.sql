-- The baseline, part 3 of 4: reservations, payments, e-tickets.

-- RESERVATIONS ---------------------------------------------------------------------------------------------------------

-- No foreign key to the ticket: the ledger may hear of a reservation before it has followed the room's log to the ticket.
-- All others are checked, although that takes a fifth of PostgreSQL's time for a reservation (November 2026).
create table reservations (
  id            uuid primary key,
  event_id      uuid not null references events (id),
  -- An account or a guest.
  buyer_id      uuid not null,
  -- The guest who made the reservation, when it belongs to an account by adoption.
  adopted_from  uuid,
  room_id       uuid,
  ticket_number bigint,
  -- Of the pass the seats were claimed with. The highest one of a ticket is what older passes are refused by.
  fence         bigint,
  status        text not null check (status in ('PENDING_PAYMENT', 'PAID', 'CANCELED', 'EXPIRED', 'REFUNDED')),
  amount        bigint not null check (amount >= 0),
  currency      text not null check (currency ~ '^[A-Z]{3}$'),
  expires_at    timestamptz not null,
  -- Whether starting to pay has already given it more time.
  extended      boolean not null default false,
  paid_at       timestamptz,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  -- What the items and e-tickets below hang on to.
  unique (id, status),
  check ((status in ('PAID', 'REFUNDED')) = (paid_at is not null)),
  check ((room_id is null) = (ticket_number is null)),
  check ((room_id is null) = (fence is null))
);
create index reservations_by_buyer on reservations (buyer_id, created_at desc);
-- The newest first: for the event's organiser, and for comparing its books.
create index reservations_by_event on reservations (event_id, created_at desc, id desc);
create index reservations_by_ticket on reservations (room_id, ticket_number, fence);
-- One reservation at a time for each ticket.
create unique index reservations_one_pending on reservations (room_id, ticket_number)
  where status = 'PENDING_PAYMENT';
create index reservations_overdue on reservations (expires_at, event_id) where status = 'PENDING_PAYMENT';

-- The seats of a reservation. The database itself refuses a double sale here, whatever the code above does wrong: an item
-- follows its reservation's status by itself, `sold` follows from that status, and a seat has at most one sold item. So a
-- second reservation of a seat cannot become PAID before the first is refunded.
create table reservation_items (
  reservation_id     uuid not null,
  seat_id            uuid not null references seats (id),
  seat_type_id       uuid not null references seat_types (id),
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

-- One row for each idempotency key under which something took effect.
create table operations (
  actor_id    uuid not null,
  key         text not null,
  fingerprint text not null,
  status_code integer,
  -- Given again to the letter.
  answer      json,
  created_at  timestamptz not null default now(),
  primary key (actor_id, key),
  check ((status_code is null) = (answer is null))
);

-- PAYMENTS -------------------------------------------------------------------------------------------------------------

create table purchases (
  id             uuid primary key,
  reservation_id uuid not null references reservations (id),
  provider       text not null,
  provider_ref   text,
  -- REFUNDING: the money is captured and on its way back; there is nothing left to decide.
  status         text not null
                 check (status in ('PROCESSING', 'PAID', 'DECLINED', 'REFUNDING', 'REFUNDED', 'STUCK')),
  amount         bigint not null check (amount >= 0),
  currency       text not null check (currency ~ '^[A-Z]{3}$'),
  captured       bigint not null default 0 check (captured >= 0),
  refunded       bigint not null default 0 check (refunded between 0 and captured),
  reason         text,
  -- The operation that waits for this payment's end; its answer is stored in the transaction that ends it. A purchase
  -- follows its operation to the account that adopts the guest.
  actor_id       uuid,
  operation_key  text,
  -- When a payment that is not decided yet was last asked about, so that servers take turns asking.
  asked_at       timestamptz,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now(),
  unique (provider, provider_ref),
  check (status <> 'PAID' or captured = amount),
  check (status <> 'REFUNDED' or refunded = captured),
  foreign key (actor_id, operation_key) references operations (actor_id, key) on update cascade
);
-- A reservation is paid for once: no second payment while one is under way, undecided or done.
create unique index purchases_one_at_a_time on purchases (reservation_id)
  where status in ('PROCESSING', 'PAID', 'STUCK');
create index purchases_undecided on purchases (updated_at) where status in ('PROCESSING', 'REFUNDING', 'STUCK');
create index purchases_by_reservation on purchases (reservation_id);
-- Also serves the check of the foreign key when a key is freed.
create index purchases_by_operation on purchases (actor_id, operation_key);

-- The books of the sandbox, a payment provider for tests and demos. It stands for a system of another company: only the
-- sandbox itself writes here, and nothing here refers to our own tables, so that the two can be compared.
create table sandbox_payments (
  ref         text primary key,
  purchase_id uuid not null unique,
  amount      bigint not null check (amount > 0),
  currency    text not null,
  return_url  text not null,
  -- What it was confirmed with.
  method      text,
  status      text not null default 'created'
              check (status in ('created', 'requires_action', 'processing', 'succeeded', 'failed', 'canceled')),
  -- A slow one: when it is decided, and how.
  concludes_at  timestamptz,
  concludes_as  text check (concludes_as in ('succeeded', 'failed')),
  -- What happens to its webhooks: lost, twice, late, reordered.
  mischief    text[] not null default '{}',
  captured    bigint not null default 0 check (captured in (0, amount)),
  refunded    bigint not null default 0 check (refunded in (0, captured)),
  created_at  timestamptz not null default now(),
  check ((captured > 0) = (status = 'succeeded')),
  check ((status = 'processing') = (concludes_at is not null)),
  check ((concludes_at is null) = (concludes_as is null))
);
create index sandbox_payments_to_conclude on sandbox_payments (concludes_at);

-- What the sandbox still has to tell.
create table sandbox_webhooks (
  id       uuid primary key default gen_random_uuid(),
  ref      text not null references sandbox_payments (ref),
  type     text not null,
  due_at   timestamptz not null,
  attempts integer not null default 0
);
create index sandbox_webhooks_due on sandbox_webhooks (due_at);

-- E-TICKETS ------------------------------------------------------------------------------------------------------------

-- What gets its holder through the door: one for each seat that was paid for.
create table etickets (
  id                 uuid primary key default gen_random_uuid(),
  reservation_id     uuid not null,
  seat_id            uuid not null,
  event_id           uuid not null references events (id),
  -- Follows the reservation by itself: a refund makes its e-tickets void, whatever the code does.
  reservation_status text not null default 'PAID',
  issued_at          timestamptz not null default now(),
  checked_in_at      timestamptz,
  -- The account that let the holder in.
  checked_in_by      uuid,
  unique (reservation_id, seat_id),
  foreign key (reservation_id, seat_id) references reservation_items (reservation_id, seat_id),
  foreign key (reservation_id, reservation_status) references reservations (id, status) on update cascade,
  check (reservation_status in ('PAID', 'REFUNDED')),
  check ((checked_in_at is null) = (checked_in_by is null))
);
-- A seat lets one person in at a time.
create unique index etickets_one_valid on etickets (seat_id) where reservation_status = 'PAID';
