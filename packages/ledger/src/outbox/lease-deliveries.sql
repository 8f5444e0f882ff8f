-- Take deliveries that are due under a lease: no other courier takes them until it is over.
-- Params   $1 kind text, $2 result_max int, $3 lease_seconds float8
-- Returns  a row for each, with the news it is about; `attempts` counts this one
-- Locks    the rows it takes, passing over those that another courier is just taking
-- Holds    of one reservation's news to one receiver only the oldest is taken: the others wait for its end
with due as (
  select id
    from deliveries
   where kind = $1 and delivered_at is null and given_up_at is null and due_at <= now()
     and not exists (
           select from deliveries as earlier
            where earlier.aggregateid = deliveries.aggregateid and earlier.position < deliveries.position
              and earlier.kind = deliveries.kind and earlier.webhook_id is not distinct from deliveries.webhook_id
              and earlier.delivered_at is null and earlier.given_up_at is null)
     and not exists (select from webhooks where webhooks.id = deliveries.webhook_id and rests_until > now())
   order by due_at, position
   limit $2
     for update skip locked
)
update deliveries
   set attempts = attempts + 1, due_at = now() + make_interval(secs => $3::float8)
  from due, outbox
 where deliveries.id = due.id and outbox.position = deliveries.position
returning deliveries.id, deliveries.webhook_id as "webhookId", deliveries.attempts, outbox.id as "newsId",
          outbox.position, outbox.type, outbox.payload, outbox.aggregateid as "reservationId",
          outbox.created_at as "createdAt"
