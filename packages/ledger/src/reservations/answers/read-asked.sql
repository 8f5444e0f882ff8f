-- What the event of a reservation asks its buyer for.
-- Params   $1 reservation_id uuid
-- Returns  one row, or none without such a reservation: eventId, buyerId, checkout as it is stored, seatIds in the order of the plan
select reservations.event_id as "eventId", buyer_id as "buyerId", checkout,
       (select coalesce(json_agg(seats.id order by ordinal), '[]')
          from reservation_items
          join seats on seats.id = reservation_items.seat_id
         where reservation_items.reservation_id = reservations.id) as "seatIds"
  from reservations
  join events on events.id = reservations.event_id
 where reservations.id = $1::uuid
