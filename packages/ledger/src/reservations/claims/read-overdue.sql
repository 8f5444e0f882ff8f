-- Expired reservations of event $1 that are still pending, the oldest first.
-- Params   $1 event_id uuid, $2 result_max int. The time is that of open-seat-map.sql
-- Returns  id
-- Plans    through the few that are overdue: `offset 0` hides the event from the planner, which takes one that it has not
--          counted yet for empty and would sort all its reservations, in every transaction
select id
  from (select id, event_id, expires_at
          from reservations
         where status = 'PENDING_PAYMENT' and expires_at <= current_setting('seatwise.at')::timestamptz
        offset 0) as overdue
 where event_id = $1::uuid
 order by expires_at
 limit $2
