-- Takes a payment of the sandbox from one of some states into another, and notes what is told about it.
-- Params   $1 ref text, $2 from text[], $3 to text, $4 method text or null (keeps it), $5 mischief text[] or null (keeps it),
--          $6 conclude_seconds float8 or null, $7 concludes_as text or null
-- Returns  the payment as it is now; no row when it was in none of those states
-- Locks    the payment
with moved as (
  update sandbox_payments
     set status     = $3::text,
         method     = coalesce($4::text, method),
         mischief   = coalesce($5::text[], mischief),
         concludes_at = clock_timestamp() + make_interval(secs => $6::float8),
         concludes_as = $7::text,
         captured   = case when $3::text = 'succeeded' then amount else captured end
   where ref = $1 and status = any($2::text[])
  returning *
), told as (
  insert into sandbox_webhooks (ref, type, due_at)
  select ref, 'payment.' || status,
         clock_timestamp()
           + case when 'late' = any(mischief) then interval '2 seconds' else interval '0' end
           -- What is said first is heard last: after the end of a slow payment.
           + case when 'reordered' = any(mischief) and concludes_at is not null
                  then concludes_at - clock_timestamp() + interval '1 second' else interval '0' end
    from moved
   cross join generate_series(1, case when 'twice' = any(mischief) then 2 else 1 end)
   where not 'lost' = any(mischief)
)
select ref, purchase_id as "purchaseId", amount, currency, return_url as "returnUrl", method, status, captured, refunded
  from moved;
