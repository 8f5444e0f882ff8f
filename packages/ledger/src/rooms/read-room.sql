-- One room with its event's sale window.
-- Params   $1 room_id uuid or null, $2 event_id uuid or null: exactly one is given
-- Returns  one row, or none
select rooms.id, event_id as "eventId", owner_id as "ownerId", rooms.name, target, settings, paused, message, epoch, seq,
       archived_at as "archivedAt", sales_start_at as "opensAt", sales_end_at as "closesAt"
  from rooms
  left join events on events.id = rooms.event_id
 where rooms.id = $1::uuid or rooms.event_id = $2::uuid
