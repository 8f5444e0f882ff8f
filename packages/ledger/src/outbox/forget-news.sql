-- Delete old news that no receiver waits for any more, with the record of its deliveries.
-- Params   $1 days_max int: how old it may get, $2 news_max int: how many of the oldest to look at
-- Returns  one row for each news deleted
with oldest as (
  select position, created_at, handed_at
    from outbox
   order by position
   limit $2
), old as (
  select position
    from oldest
   where created_at < now() - make_interval(days => $1::int) and handed_at is not null
     and not exists (
           select from deliveries
            where deliveries.position = oldest.position and delivered_at is null and given_up_at is null)
), gone as (
  delete from deliveries using old where deliveries.position = old.position
)
delete from outbox using old where outbox.position = old.position
returning outbox.position
