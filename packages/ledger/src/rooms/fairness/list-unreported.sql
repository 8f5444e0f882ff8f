-- Rooms with a sale that is over, in which no ticket is live, and that have no fairness report yet.
-- Params   $1 room_id uuid or null for all, $2 result_max int
-- Returns  id, the latest to close first
select rooms.id
  from rooms
  join events on events.id = rooms.event_id
 where events.state <> 'draft'
   and least(sales_end_at, cancelled_at) < now() and sales_end_at > now() - interval '400 days'
   and ($1::uuid is null or rooms.id = $1::uuid)
   and not exists (select from fairness_reports where fairness_reports.room_id = rooms.id)
   and exists (select from log_heads where log_heads.room_id = rooms.id)
   and not exists (select from queue_entries
                    where queue_entries.room_id = rooms.id and queue_entries.state in ('waiting', 'admitted', 'active'))
 order by sales_end_at desc
 limit $2::int
