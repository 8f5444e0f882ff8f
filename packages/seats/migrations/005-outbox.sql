-- News for the world outside, written in the transaction that made it true. The first five columns are what
-- Debezium's outbox event router expects, so that Kafka can be attached without code.
create table outbox (
  id            uuid primary key default gen_random_uuid(),
  aggregatetype text not null,
  aggregateid   text not null,
  type          text not null,
  payload       jsonb not null,
  position      bigint generated always as identity unique,
  created_at    timestamptz not null default now()
);
