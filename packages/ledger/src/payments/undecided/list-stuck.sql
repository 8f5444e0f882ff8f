-- Payments that an operator has to look at: stuck ones, and those that have been undecided for too long.
-- Params   $1 event_id uuid or null for all, $2 organization_ids uuid[] or null for all, $3 patience_seconds int, $4 max int
-- Returns  id, the longest waiting first
select purchases.id
  from purchases
  join reservations on reservations.id = purchases.reservation_id
  join events on events.id = reservations.event_id
 where (purchases.status in ('PROCESSING', 'REFUNDING', 'STUCK')
        or exists (select from refunds where purchase_id = purchases.id and state = 'PENDING'))
   and ($1::uuid is null or reservations.event_id = $1)
   and ($2::uuid[] is null or events.organization_id = any ($2::uuid[]))
   and (purchases.status = 'STUCK'
        or (purchases.status in ('PROCESSING', 'REFUNDING')
            and purchases.updated_at < clock_timestamp() - make_interval(secs => $3))
        or exists (select from refunds
                    where purchase_id = purchases.id and state = 'PENDING'
                      and (refused is not null or created_at < clock_timestamp() - make_interval(secs => $3))))
 order by purchases.updated_at, purchases.id
 limit $4;
