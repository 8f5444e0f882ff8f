-- The last fairness reports of an organization's sales.
-- Params   $1 organization_id uuid, the last report of the page before or null: $2 at timestamptz, $3 room_id uuid, $4 result_max int
-- Returns  "roomId", "eventId", name, "closedAt", at, text; the newest first
select fairness_reports.room_id as "roomId", rooms.event_id as "eventId", events.name,
       least(events.sales_end_at, events.cancelled_at) as "closedAt", fairness_reports.at, fairness_reports.text
  from fairness_reports
  join rooms on rooms.id = fairness_reports.room_id
  join events on events.id = rooms.event_id
 where events.organization_id = $1::uuid and events.state <> 'draft'
   and ($2::timestamptz is null or (fairness_reports.at, fairness_reports.room_id) < ($2::timestamptz, $3::uuid))
 order by fairness_reports.at desc, fairness_reports.room_id desc
 limit $4::int
