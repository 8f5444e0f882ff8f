-- Give a purchase its new state; nulls leave things as they are. What a provider was to be asked for is forgotten.
-- Params   $1 id uuid, $2 status text, $3 captured bigint, $4 refunded bigint, $5 reason text, $6 provider_ref text,
--          $7 at timestamptz, $8 kept bigint
-- Returns  nothing
-- Locks    the purchase; we hold the seat map's lock, so no other transaction decides about it
update purchases
   set status = $2, captured = coalesce($3::bigint, captured), refunded = coalesce($4::bigint, refunded),
       kept = coalesce($8::bigint, kept),
       reason = coalesce($5::text, reason), provider_ref = coalesce($6::text, provider_ref), provider_order = null,
       paid_at = case when $2 = 'PAID' then coalesce(paid_at, $7::timestamptz) else paid_at end,
       updated_at = $7::timestamptz
 where id = $1::uuid
