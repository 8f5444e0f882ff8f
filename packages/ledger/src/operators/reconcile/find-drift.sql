-- Find where tables of the ledger contradict each other about one event. One snapshot, so that work under way is not
-- reported as a difference. The provider's books are compared only for payments decided at least a minute ago, and tickets
-- with the last 20000 entries of the log, because the log may be long and this query runs often.
-- Params   $1 event_id uuid
-- Returns  a row for each difference: kind, subject: the id of what it is about, details jsonb; at most 1000
with ours as (
  select * from reservations where event_id = $1::uuid
), counted as (
  select count(*) filter (where status = 'available') as available, count(*) filter (where status = 'held') as held,
         count(*) filter (where status = 'sold') as sold,
         count(*) filter (where status = 'blocked' and not retired) as blocked
    from seats
   where event_id = $1::uuid
), entitled as (
  select reservation_items.seat_id, ours.id as reservation_id, ours.status
    from ours
    join reservation_items on reservation_items.reservation_id = ours.id
   where ours.status in ('PENDING_PAYMENT', 'PAID')
), room as (
  select id, epoch, seq from rooms where event_id = $1::uuid
), drift (kind, subject, details) as (
  select 'counts', event_id::text, jsonb_build_object(
           'noted', jsonb_build_array(seat_maps.available, seat_maps.held, seat_maps.sold, seat_maps.blocked),
           'counted', jsonb_build_array(counted.available, counted.held, counted.sold, counted.blocked))
    from seat_maps, counted
   where event_id = $1::uuid
     and (seat_maps.available, seat_maps.held, seat_maps.sold, seat_maps.blocked)
         <> (counted.available, counted.held, counted.sold, counted.blocked)
  union all
  select case seats.status when 'held' then 'held-by-nobody' else 'sold-to-nobody' end, seats.id::text,
         jsonb_build_object('reservation', seats.reservation_id, 'status', ours.status)
    from seats
    join ours on ours.id = seats.reservation_id
   where seats.event_id = $1::uuid
     and ours.status <> case seats.status when 'held' then 'PENDING_PAYMENT' else 'PAID' end
  union all
  select case seats.status when 'available' then 'seat-let-go' else 'seat-elsewhere' end, seats.id::text,
         jsonb_build_object('reservation', entitled.reservation_id, 'status', entitled.status, 'seat', seats.status,
                            'has', seats.reservation_id)
    from entitled
    join seats on seats.id = entitled.seat_id
   where seats.reservation_id is distinct from entitled.reservation_id
  union all
  select 'paid-without-payment', ours.id::text, jsonb_build_object('amount', ours.amount)
    from ours
   where ours.status = 'PAID' and ours.amount > 0
     and not exists (select from purchases
                      where reservation_id = ours.id and status in ('PAID', 'REFUNDING', 'STUCK') and captured > 0)
  union all
  select 'payment-without-sale', purchases.id::text,
         jsonb_build_object('reservation', ours.id, 'status', ours.status, 'captured', purchases.captured)
    from purchases
    join ours on ours.id = purchases.reservation_id
   where purchases.status = 'PAID' and ours.status <> 'PAID'
  union all
  select 'provider', purchases.id::text, jsonb_build_object(
           'status', purchases.status, 'ours', purchases.captured - purchases.refunded,
           'theirs', sandbox_payments.captured - sandbox_payments.refunded)
    from purchases
    join ours on ours.id = purchases.reservation_id
    join sandbox_payments on sandbox_payments.purchase_id = purchases.id
   where purchases.status in ('PAID', 'DECLINED', 'REFUNDED')
     and purchases.updated_at < clock_timestamp() - interval '1 minute'
     and purchases.captured - purchases.refunded <> sandbox_payments.captured - sandbox_payments.refunded
  union all
  select 'ticket', queue_entries.number::text, jsonb_build_object('state', state, 'log', room_log.kind)
    from room
    join room_log on room_log.room_id = room.id and room_log.epoch = room.epoch and room_log.seq > room.seq - 20000
                 and room_log.kind in ('completed', 'expired')
    join queue_entries on queue_entries.room_id = room.id
                      and queue_entries.number = (room_log.body ->> 'number')::bigint
   where queue_entries.state in ('waiting', 'admitted', 'active')
  union all
  select 'log', room.id::text, jsonb_build_object('epoch', room.epoch, 'followed', room.seq, 'last', last.seq)
    from room
   cross join lateral (select coalesce(max(seq), 0) as seq
                         from room_log
                        where room_log.room_id = room.id and room_log.epoch = room.epoch) as last
   where last.seq <> room.seq
)
select kind, subject, details
  from drift
 order by kind, subject
 limit 1000
