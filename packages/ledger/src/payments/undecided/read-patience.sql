-- How long a payment has been under way, and whether the hold it pays for is over.
-- Params   $1 purchase_id uuid
-- Returns  one row, or none when there is no such purchase
select extract(epoch from clock_timestamp() - purchases.created_at)::float8 as "ageSeconds",
       reservations.status <> 'PENDING_PAYMENT' or reservations.expires_at <= clock_timestamp() as "isOver"
  from purchases
  join reservations on reservations.id = purchases.reservation_id
 where purchases.id = $1;
