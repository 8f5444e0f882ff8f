-- What decides whether event $1 takes requests for returned seats, and how long an offer of them lasts.
-- Params   $1 event_id uuid
-- Returns  one row, or none when there is no such event: isSoldOut: nothing is available, and nothing is held but for the
--          returns list, or that is so of all seats that are not hidden; isOver, also of a cancelled event, salesEndAt: of the sale; offerMinutes: as the organiser set it, else null; reservationSeconds
--          and seatsPerBuyerMax of the room
select (seat_maps.available = 0 and seat_maps.held <= seat_maps.offered)
       or (exists (select from seat_types where seat_types.event_id = events.id and hidden)
           and not exists (
             select from seats
               join seat_types on seat_types.id = seats.seat_type_id
              where seats.event_id = events.id and not seat_types.hidden and not seats.retired
                and (seats.status = 'available'
                     or (seats.status = 'held'
                         and not exists (select from offers where offers.reservation_id = seats.reservation_id)))
           )) as "isSoldOut",
       events.sales_end_at <= clock_timestamp() or events.state = 'cancelled' as "isOver", events.sales_end_at as "salesEndAt",
       cast(events.after ->> 'returnsOfferMinutes' as int) as "offerMinutes",
       cast(rooms.settings ->> 'reservationSeconds' as int) as "reservationSeconds",
       cast(rooms.settings ->> 'maxSeatsPerBuyer' as int) as "seatsPerBuyerMax"
  from events
  join seat_maps on seat_maps.event_id = events.id
  join rooms on rooms.event_id = events.id
 where events.id = $1::uuid and events.state <> 'draft'
