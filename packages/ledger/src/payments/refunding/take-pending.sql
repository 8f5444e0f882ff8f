-- Take refunds that the provider has not confirmed, and was not asked about for a while: 3 s at first, later a quarter of the
-- time they have taken so far, at most a minute.
-- Params   $1 max int
-- Returns  id, one row for each
-- Locks    the refunds; those that others take right now are left to them
with due as (
  select id
    from refunds
   where state = 'PENDING'
     and greatest(asked_at, created_at)
           < clock_timestamp() - least(interval '1 minute', greatest(interval '3 seconds', (clock_timestamp() - created_at) / 4))
   order by greatest(asked_at, created_at)
   limit $1
     for update skip locked
)
update refunds
   set asked_at = clock_timestamp()
  from due
 where refunds.id = due.id
returning refunds.id
