-- Note which buyers of a cancelled event have their mail, and whether anything is left to do.
-- Params   $1 event_id uuid
-- Returns  one row: isRefunded: no order waits; isTold: no mail is on its way any more
-- Locks    the orders that are told
with news as materialized (
  select outbox.position, outbox.handed_at, cancelled_orders.purchase_id
    from cancelled_orders
    join purchases on purchases.id = cancelled_orders.purchase_id
    join outbox on outbox.aggregateid = purchases.reservation_id::text and outbox.type = 'event.cancelled'
   where cancelled_orders.event_id = $1::uuid and cancelled_orders.told_at is null
), told as (
  update cancelled_orders
     set told_at = deliveries.delivered_at
    from news
    join deliveries on deliveries.position = news.position and deliveries.kind = 'mail'
   where cancelled_orders.purchase_id = news.purchase_id and deliveries.delivered_at is not null
)
select not exists (select from cancelled_orders where event_id = $1::uuid and state = 'WAITING') as "isRefunded",
       not exists (
         select from news
          where handed_at is null
             or exists (select from deliveries
                         where deliveries.position = news.position and kind = 'mail'
                           and delivered_at is null and given_up_at is null)) as "isTold"
