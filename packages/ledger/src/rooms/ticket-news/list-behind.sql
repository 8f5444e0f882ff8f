-- Rooms with entries that a webhook which names ticket news was not told of yet; those told longest ago first.
-- Params   $1 ticket_types text[], $2 ahead_max int: calls of one room that may be on their way to one webhook,
--          $3 result_max int
-- Returns  a row for each webhook and room: the types it names, and the last entry it was told of
-- Locks    nothing: the caller holds a lock that admits one server at a time (see hand-out-tickets.ts)
select webhooks.id as "webhookId", webhooks.types, rooms.id as "roomId", rooms.event_id as "eventId",
       coalesce(told.epoch, 0)::bigint as epoch, coalesce(told.seq, 0)::bigint as seq
  from webhooks
  join users on users.id = webhooks.owner_id
 cross join rooms
  left join events on events.id = rooms.event_id
  left join ticket_news as told on told.webhook_id = webhooks.id and told.room_id = rooms.id
 where webhooks.types && $1::text[]
   and (coalesce(events.organization_id, rooms.organization_id) = webhooks.organization_id
        or (webhooks.organization_id is null and users.role = 'admin'))
   and (rooms.epoch, rooms.seq) > (coalesce(told.epoch, 0), coalesce(told.seq, 0))
   and (select count(*)
          from deliveries
         where deliveries.webhook_id = webhooks.id and deliveries.aggregateid = rooms.id::text
           and delivered_at is null and given_up_at is null) < $2::int
 order by told.told_at nulls first, rooms.id
 limit $3
