-- Take payments that are undecided, and that the provider was not asked about for a while: 3 s at
-- first, later a quarter of the time they have taken so far, at most a minute. And those whose hold has ended since the
-- provider was asked, so that its page is closed in time.
-- Params   $1 max int
-- Returns  id, one row for each
-- Locks    the purchases; those that others take right now are left to them
with due as (
  select id
    from purchases
   where status = 'PROCESSING'
     and (greatest(asked_at, updated_at)
            < clock_timestamp() - least(interval '1 minute', greatest(interval '3 seconds', (clock_timestamp() - updated_at) / 4))
          or exists (
               select from reservations
                where reservations.id = purchases.reservation_id and reservations.status in ('PENDING_PAYMENT', 'EXPIRED')
                  and reservations.expires_at <= clock_timestamp()
                  and reservations.expires_at > greatest(asked_at, purchases.updated_at)))
   order by greatest(asked_at, updated_at)
   limit $1
     for update skip locked
)
update purchases
   set asked_at = clock_timestamp()
  from due
 where purchases.id = due.id
returning purchases.id;
