-- Everything the ledger knows about the sale of one event, in one statement and so of one instant.
-- Params   $1 event_id uuid
-- Returns  kind text, facts jsonb: lists of at most 500 facts of that kind; times in milliseconds since 1970.
--          'sale' one fact: the room, the clock, all seats counted; 'reservation' and 'payment' as they are now;
--          'end' how a reservation ended that was paid later, and the seats it had then; 'refund' of seats that came back; 'book' what the sandbox says;
--          'operation' the key under which a reservation was made; 'adoption' of guests who reserved here; 'news' what was told of reservations, in its order, and
--          'delivery' how far each receiver was told
with ours as (
  select * from reservations where event_id = $1::uuid
), facts (kind, id, fact) as (
  select 'sale', seat_maps.event_id::text, jsonb_build_object(
           'roomId', rooms.id, 'epoch', rooms.epoch, 'seq', rooms.seq, 'chain', rooms.chain,
           'at', extract(epoch from clock_timestamp()) * 1000, 'version', seat_maps.version,
           'createdAt', extract(epoch from events.created_at) * 1000,
           'noted', jsonb_build_object('available', seat_maps.available, 'held', seat_maps.held,
                                       'sold', seat_maps.sold, 'blocked', seat_maps.blocked),
           'counted', (select jsonb_build_object(
                                'available', count(*) filter (where status = 'available'),
                                'held', count(*) filter (where status = 'held'),
                                'sold', count(*) filter (where status = 'sold'),
                                'blocked', count(*) filter (where status = 'blocked' and not retired))
                         from seats where seats.event_id = $1::uuid),
           'everMade', (select count(*) from seats where seats.event_id = $1::uuid),
           'blocked', (select coalesce(jsonb_agg(seats.id order by seats.id), '[]')
                         from seats
                        where seats.event_id = $1::uuid and status = 'blocked' and not retired))
    from seat_maps
    join events on events.id = seat_maps.event_id
    join rooms on rooms.event_id = seat_maps.event_id
   where seat_maps.event_id = $1::uuid
  union all
  select 'reservation', ours.id::text, jsonb_build_object(
           'id', ours.id, 'buyerId', buyer_id, 'adoptedFrom', adopted_from, 'status', status, 'amount', amount, 'roomId', room_id,
           'ticketNumber', ticket_number, 'fence', fence,
           'isAtDoor', exists (select from purchases where reservation_id = ours.id and provider = 'door'), 'createdAt', extract(epoch from created_at) * 1000,
           'updatedAt', extract(epoch from updated_at) * 1000, 'paidAt', extract(epoch from paid_at) * 1000,
           'expiresAt', extract(epoch from expires_at) * 1000,
           'seatIds', (select coalesce(jsonb_agg(seat_id order by seat_id), '[]')
                         from reservation_items where reservation_id = ours.id))
    from ours
  union all
  select 'end', ours.id::text, jsonb_build_object(
           'reservationId', ours.id, 'type', ended.type, 'at', ended.payload ->> 'at',
           'seatIds', jsonb_path_query_array(created.payload::jsonb, '$.items[*].seatId'))
    from outbox as ended
    join ours on ours.id::text = ended.aggregateid
    left join outbox as created on created.aggregateid = ended.aggregateid and created.type = 'reservation.created'
   where ended.type in ('reservation.expired', 'reservation.canceled') and ours.status in ('PAID', 'REFUNDED')
  union all
  select 'payment', purchases.id::text, jsonb_build_object(
           'id', purchases.id, 'reservationId', reservation_id, 'status', purchases.status, 'provider', provider,
           'amount', purchases.amount, 'captured', captured, 'refunded', refunded, 'kept', kept,
           'pending', (select coalesce(sum(refunds.amount), 0)
                         from refunds where purchase_id = purchases.id and state = 'PENDING'),
           'actorId', actor_id,
           'operationKey', operation_key, 'updatedAt', extract(epoch from purchases.updated_at) * 1000)
    from purchases
    join ours on ours.id = purchases.reservation_id
  union all
  select 'refund', refunds.id::text, jsonb_build_object(
           'reservationId', purchases.reservation_id, 'purchaseId', purchases.id, 'seatIds', to_jsonb(seat_ids),
           'amount', refunds.amount, 'kept', refunds.kept, 'doneAt', extract(epoch from done_at) * 1000)
    from refunds
    join purchases on purchases.id = refunds.purchase_id
    join ours on ours.id = purchases.reservation_id
   where refunds.state = 'DONE' and refunds.seat_ids <> '{}'
  union all
  select 'book', sandbox_payments.purchase_id::text, jsonb_build_object(
           'purchaseId', sandbox_payments.purchase_id, 'captured', sandbox_payments.captured,
           'refunded', sandbox_payments.refunded)
    from sandbox_payments
    join purchases on purchases.id = sandbox_payments.purchase_id
    join ours on ours.id = purchases.reservation_id
  union all
  select 'operation', actor_id::text || key, jsonb_build_object(
           'actorId', actor_id, 'key', key,
           -- Making a reservation and cancelling it are two effects.
           'effect', concat_ws(' ', coalesce(answer ->> 'id', answer ->> 'eticketId'),
                                nullif(answer ->> 'status', 'PENDING_PAYMENT')),
           'at', extract(epoch from created_at) * 1000)
    from operations
   where answer ->> 'eventId' = $1::uuid::text
  union all
  select 'adoption', guest_id::text, jsonb_build_object(
           'guestId', guest_id, 'userId', user_id, 'at', extract(epoch from adopted_at) * 1000)
    from adoptions
   where exists (select from ours where adopted_from = guest_id or buyer_id = guest_id)
  union all
  select 'news', lpad(outbox.position::text, 20, '0'), jsonb_build_object(
           'id', outbox.id, 'reservationId', ours.id, 'type', outbox.type, 'position', outbox.position,
           'handed', outbox.handed_at is not null)
    from outbox
    join ours on ours.id::text = outbox.aggregateid
  union all
  select 'delivery', deliveries.id::text, jsonb_build_object(
           'newsId', outbox.id, 'receiver', coalesce(deliveries.webhook_id::text, deliveries.kind),
           'attempts', attempts, 'deliveredAt', extract(epoch from delivered_at) * 1000,
           'givenUp', given_up_at is not null)
    from deliveries
    join outbox on outbox.position = deliveries.position
    join ours on ours.id::text = deliveries.aggregateid
), numbered as (
  select kind, fact, (row_number() over (partition by kind order by id) - 1) / 500 as chunk
    from facts
)
select kind, jsonb_agg(fact) as facts
  from numbered
 group by kind, chunk
 order by kind, chunk
