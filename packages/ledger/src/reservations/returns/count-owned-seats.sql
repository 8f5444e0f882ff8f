-- How many seats of an event a buyer holds or owns, beside one reservation.
-- Params   $1 event_id uuid, $2 buyer_id uuid, $3 at timestamptz, $4 reservation_id uuid
-- Returns  seats
-- Locks    nothing: the caller holds the event's seat map
select count(*)::int as seats
  from reservations
  join reservation_items on reservation_items.reservation_id = reservations.id
 where not returned and buyer_id = $2::uuid and reservations.event_id = $1::uuid and reservations.id <> $4::uuid
   and (status = 'PAID' or (status = 'PENDING_PAYMENT' and expires_at > $3::timestamptz))
