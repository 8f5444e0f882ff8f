-- Purchases by id, or all that were tried for one reservation, the newest first.
-- Params   $1 ids uuid[], $2 reservation_id uuid or null
-- Returns  a row for each
select purchases.id, reservation_id as "reservationId", event_id as "eventId", buyer_id as "buyerId", provider,
       provider_ref as "providerRef", purchases.status, purchases.amount, purchases.currency, captured, refunded, kept,
       receipt_number as "receiptNumber", reason,
       actor_id as "actorId", operation_key as "operationKey", purchases.created_at as "createdAt",
       purchases.updated_at as "updatedAt"
  from purchases
  join reservations on reservations.id = purchases.reservation_id
 where purchases.id = any ($1::uuid[]) or purchases.reservation_id = $2::uuid
 order by purchases.created_at desc, purchases.id
