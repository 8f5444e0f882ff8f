-- Take webhooks of the sandbox that are due. Each stays, and is due again later, until it is deleted.
-- Params   $1 max int, $2 attempts_max int: after so many a webhook is given up
-- Returns  one row for each: what to send; the caller signs it
-- Locks    the rows; those that others deliver right now are left to them
with due as (
  select id
    from sandbox_webhooks
   where due_at <= clock_timestamp() and attempts < $2
   order by due_at
   limit $1
     for update skip locked
)
update sandbox_webhooks as webhook
   set attempts = attempts + 1,
       due_at = clock_timestamp() + make_interval(secs => power(2, least(attempts, 6)))
  from due
 where webhook.id = due.id
returning webhook.id, webhook.ref, webhook.type;
