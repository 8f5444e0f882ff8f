-- Note which adoptions no line can have missed: old enough for the ledger to have heard of every ticket that the guest drew
-- before their access token was refused, and without a live one.
-- Params   none
-- Returns  nothing
update adoptions
   set delivered_at = clock_timestamp()
 where delivered_at is null and adopted_at < clock_timestamp() - interval '1 minute'
   and not exists (
         select from queue_entries
          where queue_entries.identity = adoptions.identity
            and queue_entries.user_id is null and state in ('waiting', 'admitted', 'active'))
