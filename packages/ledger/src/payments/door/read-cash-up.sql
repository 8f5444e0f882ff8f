-- What was taken in and paid out at the doors of an event, by day of the venue, seller, method and currency.
-- Params   $1 event_id uuid, $2 time_zone text, $3 day date or null for all days, $4 result_max int
-- Returns  a row for each: day as text, sellerId, sellerName (null when the account is gone or none asked), method, currency,
--          sales, seats, taken, paidOut; the latest day first
-- Counts   a refund on its own day, for who paid it out: that is the drawer which has less now
with moved as (
  select sold_at as at, seller_id, method, currency, 1 as sales, seats, amount as taken, 0::bigint as paid_out
    from door_sales
   where event_id = $1::uuid
  union all
  select paid_at, paid_by, method, currency, 0, 0, 0, door_payouts.amount
    from door_payouts
    join door_sales on door_sales.purchase_id = door_payouts.purchase_id
   where event_id = $1::uuid
), dated as (
  select (at at time zone $2)::date as day, moved.* from moved
)
select day::text as day, seller_id as "sellerId", users.name as "sellerName", method, currency,
       sum(sales)::int as sales, sum(seats)::int as seats, sum(taken)::bigint as taken, sum(paid_out)::bigint as "paidOut"
  from dated
  left join users on users.id = seller_id
 where $3::date is null or day = $3::date
 group by day, seller_id, users.name, method, currency
 order by day desc, users.name nulls last, seller_id, method, currency
 limit $4::int
