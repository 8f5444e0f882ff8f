-- Retry a delivery that was set aside, from now on and as often as a new one; or call a webhook again that was called.
-- Params   $1 delivery_id uuid
-- Returns  its id, or no row when it is on its way already, or is mail that was sent
update deliveries
   set given_up_at = null, delivered_at = null, problem = null, attempts = 0, due_at = now()
 where id = $1::uuid and (given_up_at is not null or (kind = 'webhook' and delivered_at is not null))
returning id
