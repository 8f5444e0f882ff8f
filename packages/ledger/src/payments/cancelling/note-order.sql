-- How the refund of an order of a cancelled event went. What failed is tried again later, ever less often, and given up in
-- the end.
-- Params   $1 purchase_id uuid, $2 problem text, or null when it is refunded, $3 attempts_max int
-- Returns  nothing
-- Locks    the row
update cancelled_orders
   set state = case when $2::text is null then 'REFUNDED' when attempts + 1 >= $3::int then 'FAILED' else 'WAITING' end,
       attempts = attempts + case when $2::text is null then 0 else 1 end,
       problem = $2::text,
       due_at = clock_timestamp() + make_interval(secs => least(600, power(2, least(attempts, 10))))
 where purchase_id = $1::uuid and state = 'WAITING'
