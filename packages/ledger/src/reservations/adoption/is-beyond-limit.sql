-- Whether a buyer holds and owns more seats of an event than the room allows.
-- Params   $1 event_id uuid, $2 buyer_id uuid, $3 at timestamptz
-- Returns  isBeyond; no row when the event has no room
-- Locks    nothing: the caller holds the event's seat map
select (select count(*)
          from reservations
          join reservation_items on reservation_items.reservation_id = reservations.id
         where not returned and buyer_id = $2::uuid and reservations.event_id = $1::uuid
           and (status = 'PAID' or (status = 'PENDING_PAYMENT' and expires_at > $3::timestamptz)))
       > cast(rooms.settings ->> 'maxSeatsPerBuyer' as int) as "isBeyond"
  from rooms
 where rooms.event_id = $1::uuid
