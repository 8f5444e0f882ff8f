-- What decides which reservations of a guest an account can take over in one event.
-- Params   $1 event_id uuid, $2 guest_id uuid, $3 user_id uuid, $4 at timestamptz
-- Returns  one row, or none when the event has no room: limit, the most seats that one buyer may have; owned, how many the
--          account holds or owns; holdings, a JSON list of what the guest holds or owns, the oldest first
-- Locks    nothing: the caller holds the event's seat map
select cast(rooms.settings ->> 'maxSeatsPerBuyer' as int) as "limit",
       (select count(*)::int
          from reservations
          join reservation_items on reservation_items.reservation_id = reservations.id
         where not returned and buyer_id = $3::uuid and reservations.event_id = $1::uuid
           and (status = 'PAID' or (status = 'PENDING_PAYMENT' and expires_at > $4::timestamptz))) as owned,
       (select coalesce(json_agg(json_build_object('id', id, 'seats', seats, 'isPaid', is_paid) order by created_at, id), '[]')
          from (select id, created_at,
                       (select count(*) from reservation_items where reservation_id = reservations.id and not returned) as seats,
                       status = 'PAID' or exists (
                         select from purchases
                          where reservation_id = reservations.id
                            and purchases.status in ('PROCESSING', 'PAID', 'PARTLY_REFUNDED', 'STUCK'))
                         as is_paid
                  from reservations
                 where buyer_id = $2::uuid and reservations.event_id = $1::uuid
                   and (status = 'PAID' or (status = 'PENDING_PAYMENT' and expires_at > $4::timestamptz))) as holding)
         as holdings
  from rooms
 where rooms.event_id = $1::uuid
