-- A delivery reached its receiver, even if another courier retries it by now; a webhook that answers is not paused.
-- Params   $1 delivery_id uuid
-- Returns  nothing
with finished as (
  update deliveries
     set delivered_at = clock_timestamp(), given_up_at = null, problem = null
   where id = $1
  returning webhook_id
)
update webhooks
   set failures = 0, rests_until = now()
  from finished
 where webhooks.id = finished.webhook_id and webhooks.failures > 0
