-- Delete old news that nobody waits for any more, with the record of its deliveries.
-- Params   $1 days_max int: how old it may get, $2 news_max int
-- Returns  one row for each news deleted
with old as (
  select position
    from outbox
   where created_at < now() - make_interval(days => $1::int) and handed_at is not null
     and not exists (
           select from deliveries
            where deliveries.position = outbox.position and delivered_at is null and given_up_at is null)
   order by created_at
   limit $2
), gone as (
  delete from deliveries using old where deliveries.position = old.position
)
delete from outbox using old where outbox.position = old.position
returning outbox.position
