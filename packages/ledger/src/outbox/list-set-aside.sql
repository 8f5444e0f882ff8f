-- Deliveries that are no longer retried, the latest first.
-- Params   $1 organization_ids uuid[] or null for all: of their events, or to their webhooks; $2 id uuid or null for all,
--          $3 result_max int
-- Returns  a row for each: the delivery, the news it is about, and why it was given up
select deliveries.id, deliveries.kind, deliveries.webhook_id as "webhookId", webhooks.url, deliveries.attempts,
       deliveries.problem, deliveries.given_up_at as "givenUpAt", outbox.id as "newsId", outbox.type,
       reservations.id as "reservationId", reservations.event_id as "eventId", outbox.created_at as "createdAt"
  from deliveries
  join outbox on outbox.position = deliveries.position
  left join webhooks on webhooks.id = deliveries.webhook_id
  left join reservations
         on reservations.id = case when outbox.aggregatetype in ('reservation', 'purchase') then outbox.aggregateid::uuid end
  left join events on events.id = reservations.event_id
 where deliveries.given_up_at is not null
   and ($1::uuid[] is null
        or case when webhooks.id is null then events.organization_id else webhooks.organization_id end = any ($1::uuid[]))
   and ($2::uuid is null or deliveries.id = $2)
 order by deliveries.given_up_at desc, deliveries.id
 limit $3
