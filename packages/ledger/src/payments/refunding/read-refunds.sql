-- Refunds by id, of one purchase, or by the key of the call that asked for one; the oldest first.
-- Params   $1 ids uuid[], $2 purchase_id uuid or null, $3 actor_id uuid or null, $4 key text or null
-- Returns  a row for each
select id, purchase_id as "purchaseId", number, seat_ids as "seatIds", amount, kept, state, reason, refused,
       created_at as "createdAt", done_at as "doneAt"
  from refunds
 where id = any ($1::uuid[]) or purchase_id = $2::uuid or (actor_id = $3::uuid and operation_key = $4::text)
 order by refunds.created_at, refunds.number
