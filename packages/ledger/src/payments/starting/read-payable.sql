-- What has to be known of a reservation before a payment for it is started; the payment itself reads it again, locked.
-- Params   $1 reservation_id uuid
-- Returns  one row, or none: eventId, buyerId, amount, reservationSeconds of the event's room, or null without one
select event_id as "eventId", buyer_id as "buyerId", amount,
       (select cast(settings ->> 'reservationSeconds' as int)
          from rooms
         where rooms.event_id = reservations.event_id) as "reservationSeconds"
  from reservations
 where id = $1::uuid
