-- Until when buyers of event $1 may refund their own seats, and what stays of each. The offer that came with a moved date is
-- free, and so goes first.
-- Params   $1 event_id uuid, $2 at timestamptz, or null for now
-- Returns  one row while there is such an offer: until, fee (perTicket, percent, keepFees) or null
select case when is_moved then refunds_until else (after ->> 'refundsUntil')::timestamptz end as until,
       case when is_moved then null else nullif(after -> 'refundFee', 'null'::jsonb) end as fee
  from events
 cross join lateral (select coalesce($2::timestamptz, clock_timestamp()) as at) as clock
 cross join lateral (select coalesce(refunds_until > at, false) as is_moved) as moved
 where id = $1::uuid and (is_moved or (after ->> 'refundsUntil')::timestamptz > at)
