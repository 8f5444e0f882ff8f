-- What a server has to know of reservations before it starts payments for them; each payment reads it again, locked.
-- Params   $1 reservation_ids uuid[]
-- Returns  a row for each that exists: id, eventId, buyerId, amount, reservationSeconds of the event's room, or null without one;
--          lacksAddressee: it is pending and not overdue, and its buyer has not said who it is for;
--          isAskedForMore: the same, no payment for it has begun, and its event asks for names, answers or consent to terms
select reservations.id, reservations.event_id as "eventId", reservations.buyer_id as "buyerId", reservations.amount,
       cast(rooms.settings ->> 'reservationSeconds' as int) as "reservationSeconds",
       addressees.email is null and reservations.status = 'PENDING_PAYMENT'
         and reservations.expires_at > clock_timestamp() as "lacksAddressee",
       case when events.checkout = '{}' then false
            else reservations.status = 'PENDING_PAYMENT' and reservations.expires_at > clock_timestamp()
                 and not exists (select from purchases
                                  where reservation_id = reservations.id and purchases.status in ('PROCESSING', 'STUCK'))
       end as "isAskedForMore"
  from reservations
  join events on events.id = reservations.event_id
  left join rooms on rooms.event_id = reservations.event_id
  left join addressees on addressees.reservation_id = reservations.id
 where reservations.id = any($1::uuid[])
