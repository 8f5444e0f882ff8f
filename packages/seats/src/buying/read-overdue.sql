-- Reservations of event $1 whose time is over, the oldest first.
-- Params   $1 event_id uuid, $2 at timestamptz, $3 result_max int
-- Returns  id
select id
  from reservations
 where event_id = $1::uuid and status = 'PENDING_PAYMENT' and expires_at <= $2::timestamptz
 order by expires_at
 limit $3
