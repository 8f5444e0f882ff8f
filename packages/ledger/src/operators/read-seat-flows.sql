-- How many seats of an event came to be held and sold, less those that ceased to be, for each two seconds.
-- Params   $1 event_id uuid
-- Returns  at in milliseconds, held, sold; oldest first
with kept as (
  select created_at, paid_at, status, updated_at,
         (select count(*) from reservation_items where reservation_id = reservations.id) as seats
    from reservations
   where event_id = $1::uuid
), moves as (
  select created_at as at, seats as held, 0 as sold from kept
  union all
  select paid_at, -seats, seats from kept where paid_at is not null
  union all
  select updated_at, -seats, 0 from kept where paid_at is null and status <> 'PENDING_PAYMENT'
  union all
  select refunds.done_at, 0, -cardinality(refunds.seat_ids)
    from refunds
    join purchases on purchases.id = refunds.purchase_id
    join reservations on reservations.id = purchases.reservation_id
   where reservations.event_id = $1::uuid and refunds.state = 'DONE' and refunds.seat_ids <> '{}'
)
select (floor(extract(epoch from at) / 2) * 2000)::bigint as at, sum(held)::int as held, sum(sold)::int as sold
  from moves
 group by 1
 order by 1
