-- Send part of a payment at the sandbox back, once for each key.
-- Params   $1 ref text, $2 key text, $3 amount bigint
-- Returns  one row: isBack, whether it was sent, now or before; no row when the sandbox does not know the payment
-- Locks    nothing new: the caller has locked the payment in a statement before, so that this one sees every earlier refund
with written as (
  insert into sandbox_refunds (key, ref, amount)
  select $2, ref, $3::bigint
    from sandbox_payments
   where ref = $1 and captured - refunded >= $3::bigint
     and not exists (select from sandbox_refunds where key = $2)
  returning amount
), booked as (
  update sandbox_payments
     set refunded = refunded + $3::bigint
   where ref = $1 and exists (select from written)
)
select exists (select from written)
       or exists (select from sandbox_refunds where key = $2 and ref = $1 and amount = $3::bigint) as "isBack"
  from sandbox_payments
 where ref = $1
