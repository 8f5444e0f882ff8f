-- Write down under which name the provider knows a payment that is under way.
-- Params   $1 purchase_id uuid, $2 provider_ref text
-- Returns  id, or no row when the payment was decided meanwhile
-- Locks    the purchase
update purchases
   set provider_ref = $2
 where id = $1::uuid and status = 'PROCESSING'
returning id
