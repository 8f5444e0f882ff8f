-- Pending reservations of an event.
-- Params   $1 event_id uuid
-- Returns  id
select id from reservations where event_id = $1::uuid and status = 'PENDING_PAYMENT'
