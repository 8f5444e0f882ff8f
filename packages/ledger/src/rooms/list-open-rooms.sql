-- Rooms in which the server must admit, expire and draw without a request. Closed ones stay an hour for those inside.
-- Params   $1 result_max int
-- Returns  id, state of the event or null, the soonest to close first
select rooms.id, events.state
  from rooms
  left join events on events.id = rooms.event_id
 where archived_at is null
   and (event_id is null
        or (events.state <> 'draft' and sales_end_at > now() - interval '1 hour'
            and least(sales_start_at, (settings ->> 'preQueueAt')::timestamptz) < now() + interval '1 minute'))
 order by sales_end_at nulls last, rooms.id
 limit $1
