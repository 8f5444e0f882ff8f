-- A new webhook hears of tickets from now on: it was told of all rooms that it may hear of, as far as the ledger has their logs.
-- Params   $1 webhook_id uuid
-- Returns  nothing
insert into ticket_news (webhook_id, room_id, epoch, seq)
select webhooks.id, rooms.id, rooms.epoch, rooms.seq
  from webhooks
  join users on users.id = webhooks.owner_id
 cross join rooms
  left join events on events.id = rooms.event_id
 where webhooks.id = $1::uuid
   and (coalesce(events.organization_id, rooms.organization_id) = webhooks.organization_id
        or (webhooks.organization_id is null and users.role = 'admin'))
