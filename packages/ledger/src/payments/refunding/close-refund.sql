-- The money of a refund is back: its seats can be sold again.
-- Params   $1 id uuid, $2 at timestamptz
-- Returns  nothing
-- Locks    nothing that others wait for: the caller holds the seat map's lock
with closed as (
  update refunds
     set state = 'DONE', done_at = $2::timestamptz, refused = null
   where id = $1::uuid
)
update reservation_items
   set returned = true
 where refund_id = $1::uuid
