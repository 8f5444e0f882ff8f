-- Purchases and their reservations are paid. Items follow by themselves, and each seat can be sold only once.
-- Params   $1 at timestamptz; one element for each: $2 purchase_ids uuid[], $3 captured bigint[], $4 provider_refs text[]
--          with nulls to keep what is known, $5 reservation_ids uuid[]
-- Returns  nothing
-- Locks    nothing that others wait for: the caller holds the seat map's lock
with paid as (
  update reservations
     set status = 'PAID', paid_at = $1::timestamptz, updated_at = $1::timestamptz
   where id = any ($5::uuid[])
)
update purchases
   set status = 'PAID', paid_at = $1::timestamptz, captured = payment.captured,
       provider_ref = coalesce(payment.provider_ref, purchases.provider_ref),
       updated_at = $1::timestamptz
  from unnest($2::uuid[], $3::bigint[], $4::text[]) as payment (id, captured, provider_ref)
 where purchases.id = payment.id
