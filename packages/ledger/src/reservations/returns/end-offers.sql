-- Note which offers of event $1 have ended, and what became of the requests they were made for.
-- Params   $1 event_id uuid, $2 at timestamptz
-- Returns  nothing
-- Locks    nothing that others wait for: the caller holds the seat map's lock
with ended as (
  update offers
     set ended_at = $2::timestamptz
    from reservations
   where offers.event_id = $1::uuid and offers.ended_at is null
     and reservations.id = offers.reservation_id and reservations.status <> 'PENDING_PAYMENT'
  returning request_id, reservations.status
)
update return_requests
   set status = case when ended.status in ('PAID', 'REFUNDED') then 'served' else 'lapsed' end
  from ended
 where return_requests.id = ended.request_id
