-- Payments of event $1 that were decided a minute ago or longer, the latest first.
-- Params   $1 event_id uuid, $2 provider text, $3 max int
-- Returns  id. Those sent back are not among them: what a provider says of them is what it once captured
select purchases.id
  from reservations
  join purchases on purchases.reservation_id = reservations.id
 where reservations.event_id = $1::uuid and purchases.provider = $2 and purchases.provider_ref is not null
   and purchases.status in ('PAID', 'DECLINED') and purchases.updated_at < clock_timestamp() - interval '1 minute'
 order by purchases.updated_at desc, purchases.id
 limit $3
