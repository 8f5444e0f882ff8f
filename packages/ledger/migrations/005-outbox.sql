-- News for the world outside, written in the transaction that made it true. The first five columns are what
-- Debezium's outbox event router expects, so that Kafka can be attached without code. They are found by their position; an
-- index over random ids would cost every reservation a page of its own.
create table outbox (
  id            uuid not null default gen_random_uuid(),
  aggregatetype text not null,
  aggregateid   text not null,
  type          text not null,
  payload       jsonb not null,
  position      bigint generated always as identity primary key,
  created_at    timestamptz not null default now()
);
