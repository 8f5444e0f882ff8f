-- Write one call with ticket news for one webhook; couriers deliver it like all others, in order for each room.
-- Params   $1 webhook_id uuid, $2 room_id uuid, $3 payload text
-- Returns  nothing
with news as (
  insert into outbox (aggregatetype, aggregateid, type, payload, handed_at)
  values ('tickets', $2::uuid::text, 'tickets', $3::json, clock_timestamp())
  returning position, aggregateid
)
insert into deliveries (position, kind, webhook_id, aggregateid)
select position, 'webhook', $1::uuid, aggregateid from news
