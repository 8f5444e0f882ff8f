-- Events for the console with the state of each sale, the one that opens last first.
-- Params   $1 organization_ids uuid[] or null for all, $2 name or code contains text or null, $3 result_max int,
--          $4 offset int
-- Returns  a row for each
select events.id, events.name, events.location, rooms.id as "roomId", events.organizer_id as "organizerId",
       events.organization_id as "organizationId",
       events.time_zone as "timeZone", events.starts_at as "startsAt", events.sales_start_at as "salesStartAt",
       events.sales_end_at as "salesEndAt", events.state, rooms.paused,
       seat_maps.available, seat_maps.held, seat_maps.sold, seat_maps.blocked
  from events
  join rooms on rooms.event_id = events.id and rooms.archived_at is null
  join seat_maps on seat_maps.event_id = events.id
 where ($1::uuid[] is null or events.organization_id = any ($1::uuid[]))
   and ($2::text is null or position(fold_text($2) in events.name_folded) > 0)
 order by events.sales_start_at desc, events.id
 limit $3 offset $4
