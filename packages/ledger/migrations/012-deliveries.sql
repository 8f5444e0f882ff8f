-- Where organisers want to hear the news of their events.
create table webhooks (
  id            uuid primary key,
  owner_id      uuid not null references users (id),
  url           text not null,
  -- What it wants to hear of; empty means everything.
  types         text[] not null default '{}',
  -- Encrypted with a key derived from the secret named by sealed_with.
  sealed_secret text not null,
  sealed_with   text not null,
  -- How many deliveries in a row have failed, and until when it is therefore left alone.
  failures      integer not null default 0 check (failures >= 0),
  rests_until   timestamptz not null default now(),
  created_at    timestamptz not null default now()
);

create index webhooks_by_owner on webhooks (owner_id);

-- Null until the news was handed to everybody who wants to hear it. One server does it at a time, in order.
alter table outbox add column handed_at timestamptz;
create index outbox_not_handed on outbox (position) where handed_at is null;

-- One row for each news and receiver. What concerns one reservation reaches a receiver in order, so that a later one
-- waits until the earlier one was delivered or set aside.
create table deliveries (
  id           uuid primary key default gen_random_uuid(),
  position     bigint not null references outbox (position),
  -- 'mail' or 'webhook', and which one of them.
  kind         text not null check (kind in ('mail', 'webhook')),
  webhook_id   uuid references webhooks (id) on delete cascade,
  aggregateid  text not null,
  attempts     integer not null default 0,
  -- When to try (again). Whoever tries moves it ahead first, so that nobody else tries at the same time and somebody
  -- does when the first one is gone.
  due_at       timestamptz not null default now(),
  delivered_at timestamptz,
  -- Set aside: nobody tries any more.
  given_up_at  timestamptz,
  problem      text,
  unique nulls not distinct (position, kind, webhook_id),
  check ((kind = 'webhook') = (webhook_id is not null)),
  check (delivered_at is null or given_up_at is null)
);

create index deliveries_due on deliveries (kind, due_at) where delivered_at is null and given_up_at is null;
create index deliveries_in_order on deliveries (aggregateid, position)
  where delivered_at is null and given_up_at is null;
create index deliveries_of_webhook on deliveries (webhook_id) where webhook_id is not null;
