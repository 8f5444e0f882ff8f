-- How many seats of event $1 a buyer holds or owns.
-- Params   $1 event_id uuid, $2 buyer_id uuid, $3 at timestamptz
-- Returns  seats
select count(*) as seats
  from reservations
  join reservation_items on reservation_items.reservation_id = reservations.id
 where not returned and buyer_id = $2::uuid and event_id = $1::uuid
   and (status = 'PAID' or (status = 'PENDING_PAYMENT' and expires_at > $3::timestamptz))
