-- The baseline, part 4 of 4: news, operators.

-- OUTBOX ---------------------------------------------------------------------------------------------------------------

-- News for the world outside, written in the transaction that made it true. The first five columns are what
-- Debezium's outbox event router expects, so that Kafka can be attached without code. They are found by their position; an
-- index over random ids would cost every reservation a page of its own. `aggregateid` is text and no foreign key, because the
-- router wants it so; it is written with the reservation that it names, in one transaction.
create table outbox (
  id            uuid not null default gen_random_uuid(),
  aggregatetype text not null,
  aggregateid   text not null,
  type          text not null,
  payload       json not null,
  position      bigint generated always as identity primary key,
  created_at    timestamptz not null default now(),
  -- Null until the news was handed to every receiver that wants to hear it. One server does it at a time, in order.
  handed_at     timestamptz
);
create index outbox_not_handed on outbox (position) where handed_at is null;

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
  -- When to try (again). A courier moves it ahead before it tries (its lease), so that no other one tries at the same
  -- time, and another one does if the first is gone.
  due_at       timestamptz not null default now(),
  delivered_at timestamptz,
  -- Set aside: no courier tries any more.
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

-- OPERATORS ------------------------------------------------------------------------------------------------------------

-- Every act of an operator, written where it takes effect, or before it where that is the line.
create table operator_actions (
  id       bigint generated always as identity primary key,
  at       timestamptz not null default clock_timestamp(),
  -- No foreign key: what was done stays known, whatever becomes of the account.
  actor_id uuid not null,
  -- Of acts that concern one event or room; a change of a role concerns neither.
  event_id uuid,
  room_id  uuid,
  kind     text not null,
  -- A ticket, purchase, reservation, e-ticket or account, by its id.
  subject  text,
  -- What was changed, as it was and as it became. The former values make undoing possible.
  before   jsonb not null default '{}',
  after    jsonb not null default '{}',
  -- The act that this one takes back.
  undoes   bigint references operator_actions (id)
);
create index operator_actions_by_event on operator_actions (event_id, id);
create index operator_actions_by_room on operator_actions (room_id, id);
-- One act is taken back at most once.
create unique index operator_actions_undone_once on operator_actions (undoes) where undoes is not null;

-- Reports of rehearsals of a sale, so that the operator who opens it knows that it was tried, and how that went.
create table rehearsals (
  id       bigint generated always as identity primary key,
  event_id uuid not null references events (id),
  at       timestamptz not null default clock_timestamp(),
  by_id    uuid not null,
  verdict  text not null check (verdict in ('passed', 'failed')),
  report   jsonb not null
);
create index rehearsals_by_event on rehearsals (event_id, id);
