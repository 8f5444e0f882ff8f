-- Take payments of the sandbox from one of some states into another, and note what is told about them.
-- Params   $1 moves json: [{ref, from, to, method or null (keeps it), mischief or null (keeps it), concludeSeconds or null, concludesAs or null}]
-- Returns  each payment that moved, as it is now; one that was in none of its states has no row
-- Locks    the payments, by ascending ref
with moves as (
  select *
    from json_to_recordset($1::json)
      as move (ref text, "from" text[], "to" text, method text, mischief text[], "concludeSeconds" float8, "concludesAs" text)
), movable as (
  select payment.ref
    from sandbox_payments as payment
    join moves on moves.ref = payment.ref and payment.status = any(moves."from")
   order by payment.ref
     for update of payment
), moved as (
  update sandbox_payments as payment
     set status     = moves."to",
         method     = coalesce(moves.method, payment.method),
         mischief   = coalesce(moves.mischief, payment.mischief),
         concludes_at = clock_timestamp() + make_interval(secs => moves."concludeSeconds"),
         concludes_as = moves."concludesAs",
         captured   = case when moves."to" = 'succeeded' then payment.amount else payment.captured end
    from movable
    join moves on moves.ref = movable.ref
   where payment.ref = movable.ref
  returning payment.*
), told as (
  insert into sandbox_webhooks (ref, type, due_at)
  select ref, 'payment.' || status,
         clock_timestamp()
           + case when 'late' = any(mischief) then interval '2 seconds' else interval '0' end
           -- Delivered out of order on purpose: the first webhook arrives after the end of a slow payment.
           + case when 'reordered' = any(mischief) and concludes_at is not null
                  then concludes_at - clock_timestamp() + interval '1 second' else interval '0' end
    from moved
   cross join generate_series(1, case when 'twice' = any(mischief) then 2 else 1 end)
   where not 'lost' = any(mischief)
)
select ref, purchase_id as "purchaseId", amount, currency, return_url as "returnUrl", method, status, captured, refunded
  from moved;
