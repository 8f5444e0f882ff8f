-- Reservations with their seats, the newest first.
-- Params   $1 ids uuid[] or null, $2 buyer_id uuid or null: one of them is given, $3 result_max int
-- Returns  a row for each; items as a JSON list in the order of the plan
select reservations.id, reservations.event_id as "eventId", buyer_id as "buyerId", reservations.status, lines, tax,
       amount,
       reservations.currency, expires_at as "expiresAt", paid_at as "paidAt", created_at as "createdAt",
       updated_at as "updatedAt", room_id as "roomId", ticket_number as "ticketNumber", extended as "isExtended",
       adopted_from as "adoptedFrom",
       listed.items
  from reservations
 cross join lateral (
         select coalesce(json_agg(json_build_object(
                  'seatId', seat_id, 'seatTypeId', reservation_items.seat_type_id, 'row', row_label,
                  'number', seat_number, 'price', price, 'variantId', variant_id,
                  'paid', price - discount + fees) order by ordinal), '[]') as items
           from reservation_items
           join seats on seats.id = reservation_items.seat_id
          where reservation_items.reservation_id = reservations.id
       ) as listed
 where reservations.id = any ($1::uuid[]) or buyer_id = $2::uuid
 order by created_at desc, reservations.id
 limit $3
