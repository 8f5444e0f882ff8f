-- Payments of event $1 that were decided a minute ago or longer, the latest first.
-- Params   $1 event_id uuid, $2 provider text, $3 max int
-- Returns  id. Payments with a refund on its way are not among them: the provider may be ahead of us, or behind
select purchases.id
  from reservations
  join purchases on purchases.reservation_id = reservations.id
 where reservations.event_id = $1::uuid and purchases.provider = $2 and purchases.provider_ref is not null
   and purchases.status in ('PAID', 'DECLINED', 'PARTLY_REFUNDED', 'REFUNDED')
   and purchases.updated_at < clock_timestamp() - interval '1 minute'
   and not exists (select from refunds where purchase_id = purchases.id and state = 'PENDING')
 order by purchases.updated_at desc, purchases.id
 limit $3
