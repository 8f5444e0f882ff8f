-- To which organization something belongs, and whether callers who may do nothing with it may know that it is there.
-- Params   $1 kind text, $2 id uuid
-- Returns  at most one row: organizationId (null for what only admins own), isPublic
-- Locks    nothing
select organization_id as "organizationId", state <> 'draft' as "isPublic" from events where $1 = 'event' and id = $2::uuid
 union all
select coalesce(events.organization_id, rooms.organization_id), coalesce(events.state <> 'draft', true)
  from rooms left join events on events.id = rooms.event_id
 where $1 = 'room' and rooms.id = $2::uuid
 union all
select id, false from organizations where $1 = 'organization' and id = $2::uuid
 union all
select organization_id, false from webhooks where $1 = 'webhook' and id = $2::uuid
 union all
select events.organization_id, false
  from purchases
  join reservations on reservations.id = purchases.reservation_id
  join events on events.id = reservations.event_id
 where $1 = 'purchase' and purchases.id = $2::uuid
