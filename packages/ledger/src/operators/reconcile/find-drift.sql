-- Find where tables of the ledger contradict each other about one event. One snapshot, so that work under way is not
-- reported as a difference. The provider's books are compared only for payments decided at least a minute ago, and tickets
-- with the last 20000 entries of the log, because the log may be long and this query runs often.
-- Params   $1 event_id uuid
-- Returns  a row for each difference: kind, subject: the id of what it is about, details jsonb; at most 1000
-- Plans    one look into a key for each row. `offset 0` keeps the planner from joining whole tables, which it takes for
--          nearly empty while it has no statistics of a sale: it compared every seat with every reservation
with ours as (
  select * from reservations where event_id = $1::uuid
), counted as (
  select count(*) filter (where status = 'available') as available, count(*) filter (where status = 'held') as held,
         count(*) filter (where status = 'sold') as sold,
         count(*) filter (where status = 'blocked' and not retired) as blocked
    from seats
   where event_id = $1::uuid
), entitled as (
  select item.seat_id, ours.id as reservation_id, ours.status
    from ours
   cross join lateral (
           select seat_id from reservation_items where reservation_id = ours.id and not returned offset 0
         ) as item
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
         jsonb_build_object('reservation', seats.reservation_id, 'status', owner.status)
    from seats
   cross join lateral (select status from reservations where id = seats.reservation_id offset 0) as owner
   cross join lateral (
           select returned from reservation_items where reservation_id = seats.reservation_id and seat_id = seats.id offset 0
         ) as item
   where seats.event_id = $1::uuid
     and (owner.status <> case seats.status when 'held' then 'PENDING_PAYMENT' else 'PAID' end or item.returned)
  union all
  select case seat.status when 'available' then 'seat-let-go' else 'seat-elsewhere' end, entitled.seat_id::text,
         jsonb_build_object('reservation', entitled.reservation_id, 'status', entitled.status, 'seat', seat.status,
                            'has', seat.reservation_id)
    from entitled
   cross join lateral (select status, reservation_id from seats where id = entitled.seat_id offset 0) as seat
   where seat.reservation_id is distinct from entitled.reservation_id
  union all
  select 'paid-without-payment', ours.id::text, jsonb_build_object('amount', ours.amount)
    from ours
   where ours.status = 'PAID' and ours.amount > 0
     and not exists (select from purchases
                      where reservation_id = ours.id and captured > 0
                        and status in ('PAID', 'PARTLY_REFUNDED', 'REFUNDING', 'STUCK'))
  union all
  select 'payment-without-sale', purchases.id::text,
         jsonb_build_object('reservation', ours.id, 'status', ours.status, 'captured', purchases.captured)
    from purchases
    join ours on ours.id = purchases.reservation_id
   where purchases.status in ('PAID', 'PARTLY_REFUNDED') and ours.status <> 'PAID'
  union all
  select 'provider', purchases.id::text, jsonb_build_object(
           'status', purchases.status, 'ours', purchases.captured - purchases.refunded,
           'theirs', sandbox_payments.captured - sandbox_payments.refunded)
    from purchases
    join ours on ours.id = purchases.reservation_id
    join sandbox_payments on sandbox_payments.purchase_id = purchases.id
   where purchases.status in ('PAID', 'DECLINED', 'PARTLY_REFUNDED', 'REFUNDED')
     and not exists (select from refunds where purchase_id = purchases.id and state = 'PENDING')
     and purchases.updated_at < clock_timestamp() - interval '1 minute'
     and purchases.captured - purchases.refunded <> sandbox_payments.captured - sandbox_payments.refunded
  union all
  -- The till's book beside ours: what was paid at the door, and what was given back there.
  select 'provider', purchases.id::text, jsonb_build_object(
           'status', purchases.status, 'ours', jsonb_build_array(purchases.captured, purchases.refunded),
           'theirs', jsonb_build_array(door_sales.amount, payouts.amount))
    from purchases
    join ours on ours.id = purchases.reservation_id
    left join door_sales on door_sales.purchase_id = purchases.id
   cross join lateral (select coalesce(sum(amount), 0)::bigint as amount
                         from door_payouts
                        where door_payouts.purchase_id = purchases.id) as payouts
   where purchases.provider = 'door'
     and (purchases.captured, purchases.refunded) is distinct from (door_sales.amount, payouts.amount)
  union all
  select 'refunds', purchases.id::text, jsonb_build_object(
           'status', purchases.status, 'ours', jsonb_build_array(purchases.refunded, purchases.kept),
           'refunds', jsonb_build_array(done.amount, done.kept))
    from purchases
    join ours on ours.id = purchases.reservation_id
   cross join lateral (select coalesce(sum(amount), 0) as amount, coalesce(sum(refunds.kept), 0) as kept
                         from refunds
                        where purchase_id = purchases.id and state = 'DONE') as done
   where (purchases.refunded, purchases.kept) <> (done.amount, done.kept)
  union all
  select 'refund-seats', refunds.id::text, jsonb_build_object(
           'purchase', purchases.id, 'refund', refunds.amount + refunds.kept, 'seats', priced.paid)
    from refunds
    join purchases on purchases.id = refunds.purchase_id
    join ours on ours.id = purchases.reservation_id
   cross join lateral (select coalesce(sum(price - discount + fees), 0) as paid
                         from reservation_items
                        where refund_id = refunds.id) as priced
   where refunds.seat_ids <> '{}' and refunds.amount + refunds.kept <> priced.paid
  union all
  select 'order', ours.id::text, jsonb_build_object(
           'amount', ours.amount, 'lines', lines.amount, 'seats', seats.paid, 'tax', ours.tax, 'taxOfLines', lines.tax)
    from ours
   cross join lateral (select coalesce(sum((line ->> 'amount')::bigint), 0) as amount,
                              coalesce(sum((line ->> 'tax')::bigint), 0) as tax
                         from json_array_elements(ours.lines) as line) as lines
   cross join lateral (select coalesce(sum(price - discount + fees), 0) as paid
                         from reservation_items
                        where reservation_id = ours.id) as seats
   where (ours.amount, ours.amount, ours.tax) <> (lines.amount, seats.paid, lines.tax)
  union all
  -- What a sale took beside what its order costs. Money that came for nothing has no sale.
  select 'captured', purchases.id::text, jsonb_build_object(
           'order', ours.amount, 'amount', purchases.amount, 'captured', purchases.captured)
    from purchases
    join ours on ours.id = purchases.reservation_id
   where purchases.paid_at is not null and purchases.status in ('PAID', 'PARTLY_REFUNDED', 'REFUNDING', 'REFUNDED')
     and (purchases.amount, purchases.captured) <> (ours.amount, ours.amount)
  union all
  select 'papers', purchases.id::text, jsonb_build_object(
           'ours', jsonb_build_array(purchases.captured, ours.tax, purchases.credited),
           'papers', jsonb_build_array(papers.amount, papers.tax, papers.credited))
    from purchases
    join ours on ours.id = purchases.reservation_id
   cross join lateral (select coalesce(sum(amount) filter (where kind = 'receipt'), 0) as amount,
                              coalesce(sum(tax) filter (where kind = 'receipt'), 0) as tax,
                              coalesce(sum(amount) filter (where kind = 'credit_note'), 0) as credited
                         from receipts
                        where purchase_id = purchases.id) as papers
   where purchases.receipt_number is not null
     and (purchases.captured, ours.tax, purchases.credited) <> (papers.amount, papers.tax, papers.credited)
  union all
  select 'ticket', ended.number, jsonb_build_object('state', ticket.state, 'log', room_log.kind)
    from room
    join room_log on room_log.room_id = room.id and room_log.epoch = room.epoch and room_log.seq > room.seq - 20000
                 and room_log.kind in ('completed', 'expired')
   cross join lateral jsonb_array_elements_text(
           coalesce(room_log.body -> 'numbers', jsonb_build_array(room_log.body -> 'number'))
         ) as ended (number)
   cross join lateral (
           select state from queue_entries where room_id = room.id and number = ended.number::bigint offset 0
         ) as ticket
   where ticket.state in ('waiting', 'admitted', 'active')
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
