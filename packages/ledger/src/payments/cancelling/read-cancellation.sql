-- How far the cancelling of an event is.
-- Params   $1 event_id uuid
-- Returns  one row, or none: operation, message, status; orders, how many there are; refunded; failed: those that could not be
--          refunded so far; told: those with a mail that was delivered; differences that the reconciliation at the end found
select operation, message, case state when 'DONE' then 'done' else 'running' end as status, differences,
       created_at as "createdAt", done_at as "doneAt",
       counted.orders, counted.refunded, counted.failed, counted.told
  from cancellations
 cross join lateral (
         select count(*)::int as orders,
                count(*) filter (where cancelled_orders.state = 'REFUNDED')::int as refunded,
                count(*) filter (where cancelled_orders.state <> 'REFUNDED' and attempts > 0)::int as failed,
                count(told_at)::int as told
           from cancelled_orders
          where cancelled_orders.event_id = cancellations.event_id
       ) as counted
 where cancellations.event_id = $1::uuid
