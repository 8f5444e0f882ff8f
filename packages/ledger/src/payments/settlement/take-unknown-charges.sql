-- Take charges that a provider has not told and that are due to be asked for: each time it does not say, the wait doubles,
-- from ten seconds to two days.
-- Params   $1 provider text, $2 max int
-- Returns  the purchases and their references at the provider
-- Locks    the rows; those that another server has are left out
with due as (
  select provider_charges.purchase_id, purchases.provider_ref
    from provider_charges
    join purchases on purchases.id = provider_charges.purchase_id
   where provider_charges.amount is null and purchases.provider = $1::text and purchases.provider_ref is not null
     and provider_charges.asked_at + interval '10 seconds' * power(2, least(provider_charges.tries, 14)) <= now()
   order by provider_charges.asked_at
   limit $2::int
     for update of provider_charges skip locked
)
update provider_charges
   set asked_at = now(), tries = tries + 1
  from due
 where provider_charges.purchase_id = due.purchase_id
returning provider_charges.purchase_id as "purchaseId", due.provider_ref as ref
