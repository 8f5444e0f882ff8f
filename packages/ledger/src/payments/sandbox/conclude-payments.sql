-- Decide payments of the sandbox that are due, and store the webhooks about them.
-- Params   $1 ref text or null (any), $2 max int
-- Returns  one row for each that was decided
-- Locks    those payments; the ones that another server concludes right now are left to them
with due as (
  select ref
    from sandbox_payments
   where concludes_at <= clock_timestamp() and ($1::text is null or ref = $1)
   order by concludes_at
   limit $2
     for update skip locked
), moved as (
  update sandbox_payments as payment
     set status     = payment.concludes_as,
         captured   = case when payment.concludes_as = 'succeeded' then payment.amount else 0 end,
         concludes_at = null,
         concludes_as = null
    from due
   where payment.ref = due.ref
  returning payment.*
), told as (
  insert into sandbox_webhooks (ref, type, due_at)
  select ref, 'payment.' || status,
         clock_timestamp() + case when 'late' = any(mischief) then interval '2 seconds' else interval '0' end
    from moved
   cross join generate_series(1, case when 'twice' = any(mischief) then 2 else 1 end)
   where not 'lost' = any(mischief)
)
select ref from moved;
