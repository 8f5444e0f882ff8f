-- When a payment that is not decided yet was last asked about, so that servers take turns asking.
alter table purchases add column asked_at timestamptz;

-- The books of the sandbox, a payment provider for tests and demos. It stands for somebody else's system: nothing but the
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
  settles_at  timestamptz,
  settles_as  text check (settles_as in ('succeeded', 'failed')),
  -- What happens to its webhooks: lost, twice, late, reordered.
  mischief    text[] not null default '{}',
  captured    bigint not null default 0 check (captured in (0, amount)),
  refunded    bigint not null default 0 check (refunded in (0, captured)),
  created_at  timestamptz not null default now(),
  check ((captured > 0) = (status = 'succeeded')),
  check ((status = 'processing') = (settles_at is not null)),
  check ((settles_at is null) = (settles_as is null))
);

create index sandbox_payments_to_settle on sandbox_payments (settles_at);

-- What the sandbox still has to tell.
create table sandbox_webhooks (
  id       uuid primary key default gen_random_uuid(),
  ref      text not null references sandbox_payments (ref),
  type     text not null,
  due_at   timestamptz not null,
  attempts integer not null default 0
);

create index sandbox_webhooks_due on sandbox_webhooks (due_at);
