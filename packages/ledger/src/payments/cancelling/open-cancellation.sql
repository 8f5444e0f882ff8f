-- Note that a whole event is cancelled: its orders, and the news to each buyer.
-- Params   $1 event_id uuid, $2 operation uuid, $3 message text, $4 by uuid, $5 at timestamptz
-- Returns  nothing
-- Locks    nothing that others wait for: the caller holds the seat map's lock
with opened as (
  insert into cancellations (event_id, operation, message, cancelled_by, created_at)
  values ($1::uuid, $2::uuid, $3::text, $4::uuid, $5::timestamptz)
  returning event_id
), orders as (
  -- What is being paid for right now is no order yet: its money goes back by itself when it comes.
  select purchases.id, purchases.reservation_id, purchases.amount, purchases.currency
    from purchases
    join reservations on reservations.id = purchases.reservation_id
   where reservations.event_id = $1::uuid and reservations.status = 'PAID'
     and purchases.status in ('PAID', 'PARTLY_REFUNDED', 'REFUNDING') and purchases.paid_at is not null
), noted as (
  insert into cancelled_orders (purchase_id, event_id, due_at)
  select orders.id, opened.event_id, $5::timestamptz from orders, opened
)
insert into outbox (aggregatetype, aggregateid, type, payload)
select 'purchase', orders.reservation_id, 'event.cancelled',
       json_build_object('id', orders.id, 'reservationId', orders.reservation_id, 'eventId', $1::uuid,
                         'amount', orders.amount, 'currency', orders.currency, 'message', $3::text)
  from orders
 order by orders.id
