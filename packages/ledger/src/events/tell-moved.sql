-- Tell the buyers of an event that its date was moved.
-- Params   $1 event_id uuid, $2 starts_at before timestamptz or null, $3 starts_at now timestamptz or null,
--          $4 refunds_until timestamptz or null
-- Returns  nothing
insert into outbox (aggregatetype, aggregateid, type, payload)
select 'purchase', purchases.reservation_id, 'event.moved',
       json_build_object('id', purchases.id, 'reservationId', purchases.reservation_id, 'eventId', $1::uuid,
                         'from', $2::timestamptz, 'to', $3::timestamptz, 'refundsUntil', $4::timestamptz)
  from purchases
  join reservations on reservations.id = purchases.reservation_id
 where reservations.event_id = $1::uuid and reservations.status = 'PAID'
   and purchases.status in ('PAID', 'PARTLY_REFUNDED')
 order by purchases.id
