-- Take orders of a cancelled event that are due. Each is due again after a while, unless note-order.sql says how it went.
-- Params   $1 event_id uuid, $2 max int, $3 lease_seconds float8
-- Returns  purchaseId of each
-- Locks    the rows it takes, passing over those that another server is just taking
with due as (
  select purchase_id
    from cancelled_orders
   where event_id = $1::uuid and state = 'WAITING' and due_at <= clock_timestamp()
   order by due_at, purchase_id
   limit $2
     for update skip locked
)
update cancelled_orders
   set due_at = clock_timestamp() + make_interval(secs => $3::float8)
  from due
 where cancelled_orders.purchase_id = due.purchase_id
returning cancelled_orders.purchase_id as "purchaseId"
