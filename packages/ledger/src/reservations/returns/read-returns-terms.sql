-- What decides whether event $1 takes requests for returned seats, and how long an offer of them lasts.
-- Params   $1 event_id uuid
-- Returns  one row, or none when there is no such event: isSoldOut: nothing is available, and nothing is held but for the
--          returns list; isOver, also of a cancelled event, salesEndAt: of the sale; offerMinutes: as the organiser set it, else null; reservationSeconds
--          and seatsPerBuyerMax of the room
select seat_maps.available = 0 and seat_maps.held <= seat_maps.offered as "isSoldOut",
       events.sales_end_at <= clock_timestamp() or events.state = 'cancelled' as "isOver", events.sales_end_at as "salesEndAt",
       cast(events.after ->> 'returnsOfferMinutes' as int) as "offerMinutes",
       cast(rooms.settings ->> 'reservationSeconds' as int) as "reservationSeconds",
       cast(rooms.settings ->> 'maxSeatsPerBuyer' as int) as "seatsPerBuyerMax"
  from events
  join seat_maps on seat_maps.event_id = events.id
  join rooms on rooms.event_id = events.id
 where events.id = $1::uuid and events.state <> 'draft'
