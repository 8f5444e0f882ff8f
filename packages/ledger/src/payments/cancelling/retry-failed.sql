-- An operator asks again: orders that were given up are tried anew.
-- Params   $1 event_id uuid
-- Returns  nothing
-- Locks    the orders, and the cancellation if any was given up
with again as (
  update cancelled_orders
     set state = 'WAITING', attempts = 0, due_at = clock_timestamp()
   where event_id = $1::uuid and state = 'FAILED'
  returning event_id
)
update cancellations
   set state = 'RUNNING', done_at = null
 where event_id in (select event_id from again)
