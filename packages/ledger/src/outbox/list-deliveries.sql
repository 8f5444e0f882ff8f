-- Calls of webhooks, the latest first: delivered, waiting, and given up.
-- Params   $1 webhook_id uuid or null, $2 delivery_id uuid or null, $3 before bigint or null: only news before this position,
--          $4 result_max int
-- Returns  a row for each: the delivery, the news it is about, and how the last attempt ended
select deliveries.id, deliveries.webhook_id as "webhookId", webhooks.organization_id as "organizationId", deliveries.position,
       outbox.id as "newsId", outbox.type, outbox.created_at as "createdAt", deliveries.attempts, deliveries.problem,
       deliveries.delivered_at as "deliveredAt", deliveries.given_up_at as "givenUpAt",
       case when deliveries.delivered_at is null and deliveries.given_up_at is null then deliveries.due_at end as "dueAt"
  from deliveries
  join outbox on outbox.position = deliveries.position
  join webhooks on webhooks.id = deliveries.webhook_id
 where ($1::uuid is null or deliveries.webhook_id = $1)
   and ($2::uuid is null or deliveries.id = $2)
   and ($3::bigint is null or deliveries.position < $3)
 order by deliveries.position desc
 limit $4
