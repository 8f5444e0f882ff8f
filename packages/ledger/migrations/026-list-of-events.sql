-- What the list of events reads: in which order, and until when.
-- Times go through UTC without a zone, because adding to a time with one depends on a setting of the session.

alter table events
  -- When it is over: at its end, six hours after its beginning where that is open, else with its sale.
  add column over_at timestamptz not null generated always as (
    coalesce(ends_at, (starts_at at time zone 'UTC' + interval '6 hours') at time zone 'UTC', sales_end_at)) stored,
  -- Its place in the list: the beginning. Those without a date follow all others, in order of their sales; no time is
  -- later than the year 3000.
  add column listed_at timestamptz not null generated always as (
    coalesce(starts_at, (sales_start_at at time zone 'UTC' + interval '1000 years') at time zone 'UTC')) stored;

-- One for each part of the list, so that events of the past are never read, however many there are: what is to come,
-- what has begun and is not over, and what has no date.
create index events_to_come on events (listed_at, id) where starts_at is not null;
create index events_under_way on events using gist (tstzrange(starts_at, over_at)) where starts_at is not null;
create index events_without_date on events (over_at) where starts_at is null;

-- The list was in order of creation.
drop index events_by_creation;
