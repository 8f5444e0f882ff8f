-- End pending reservations. Their items follow by themselves.
-- Params   $1 ids uuid[], $2 status text: what they become, $3 at timestamptz
-- Returns  a row for each that ended: reservationId, buyerId, roomId, ticketNumber
-- Locks    nothing that others wait for: the caller holds the seat map's lock
update reservations
   set status = $2, updated_at = $3::timestamptz
 where id = any ($1::uuid[]) and status = 'PENDING_PAYMENT'
returning id as "reservationId", buyer_id as "buyerId", room_id as "roomId", ticket_number as "ticketNumber"
