-- What a server has to know of reservations before it starts payments for them; each payment reads it again, locked.
-- Params   $1 reservation_ids uuid[]
-- Returns  a row for each that exists: id, eventId, buyerId, amount, reservationSeconds of the event's room, or null without one
select reservations.id, reservations.event_id as "eventId", reservations.buyer_id as "buyerId", reservations.amount,
       cast(rooms.settings ->> 'reservationSeconds' as int) as "reservationSeconds"
  from reservations
  left join rooms on rooms.event_id = reservations.event_id
 where reservations.id = any($1::uuid[])
