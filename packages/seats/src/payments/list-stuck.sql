-- Payments of an event that an operator has to look at: stuck ones, and those that nobody could decide for too long.
-- Params   $1 event_id uuid, $2 patience_seconds int, $3 max int
-- Returns  id, the longest waiting first
select purchases.id
  from purchases
  join reservations on reservations.id = purchases.reservation_id
 where reservations.event_id = $1
   and (purchases.status = 'STUCK'
        or (purchases.status in ('PROCESSING', 'REFUNDING')
            and purchases.updated_at < clock_timestamp() - make_interval(secs => $2)))
 order by purchases.updated_at, purchases.id
 limit $3;
