-- Keep what a payment provider is asked for, unless an earlier attempt did.
-- Params   $1 purchase_id uuid, $2 order text (JSON)
-- Returns  providerOrder: the one to send; no row when the payment has a reference or was decided, so that nothing may be sent
-- Locks    the purchase
update purchases
   set provider_order = coalesce(provider_order, $2::text::json)
 where id = $1::uuid and status = 'PROCESSING' and provider_ref is null
returning provider_order as "providerOrder"
