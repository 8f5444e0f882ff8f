-- Mail about an event, the latest first: sent, waiting and given up.
-- Params   $1 event_id uuid, $2 before bigint or null: only news before this position, $3 result_max int
-- Returns  a row for each; `address` is that of the order now, null where its owner deleted it
select deliveries.id, deliveries.position, outbox.type, outbox.created_at as "createdAt", deliveries.attempts, deliveries.problem,
       deliveries.delivered_at as "deliveredAt", deliveries.given_up_at as "givenUpAt",
       coalesce(addressees.email, users.email) as address
  from reservations
  join deliveries on deliveries.aggregateid = reservations.id::text and deliveries.kind = 'mail'
  join outbox on outbox.position = deliveries.position
  left join addressees on addressees.reservation_id = reservations.id
  left join users on users.id = reservations.buyer_id
 where reservations.event_id = $1::uuid and ($2::bigint is null or deliveries.position < $2)
 order by deliveries.position desc
 limit $3
