-- A delivery failed: it is due again later, or set aside. A failing webhook is paused, longer each time, so that a
-- dead one does not delay calls of the others.
-- Params   $1 delivery_id uuid, $2 attempts int: which attempt it was, $3 problem text,
--          $4 retry_seconds float8 or null to set it aside, $5 rest_seconds_max int
-- Returns  nothing; nothing happens when another courier has tried again since
with failed as (
  update deliveries
     set problem = $3, due_at = now() + make_interval(secs => coalesce($4::float8, 0)),
         given_up_at = case when $4::float8 is null then clock_timestamp() end
   where id = $1 and attempts = $2 and delivered_at is null and given_up_at is null
  returning webhook_id
)
update webhooks
   set failures = failures + 1, rests_until = now() + make_interval(secs => least($5::int, power(2, least(failures, 20))))
  from failed
 where webhooks.id = failed.webhook_id
