-- Open purchases under their keys, and give their holds the time that paying takes.
-- Params   $1 at timestamptz; one element for each purchase: $2 ids uuid[], $3 reservation_ids uuid[], $4 providers text[],
--          $5 amounts bigint[], $6 currencies text[], $7 actor_ids uuid[], $8 keys text[], $9 fingerprints text[]; one for
--          each hold that is extended: $10 reservation_ids uuid[], $11 expires_at timestamptz[]
-- Returns  nothing
-- Locks    nothing that others wait for: the caller holds the seat map's lock
with payment as materialized (
  select *
    from unnest($2::uuid[], $3::uuid[], $4::text[], $5::bigint[], $6::text[], $7::uuid[], $8::text[], $9::text[])
         as given (id, reservation_id, provider, amount, currency, actor_id, key, fingerprint)
), asked as (
  insert into operations (actor_id, key, fingerprint, created_at)
  select actor_id, key, fingerprint, $1::timestamptz
    from payment
), extended as (
  update reservations
     set expires_at = hold.expires_at, extended = true, updated_at = $1::timestamptz
    from unnest($10::uuid[], $11::timestamptz[]) as hold (reservation_id, expires_at)
   where reservations.id = hold.reservation_id
)
insert into purchases (id, reservation_id, provider, status, amount, currency, actor_id, operation_key, created_at,
                       updated_at)
select id, reservation_id, provider, 'PROCESSING', amount, currency, actor_id, key, $1::timestamptz, $1::timestamptz
  from payment
