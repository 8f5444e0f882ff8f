-- Store that money goes back, before the provider is asked: the seats are spoken for, their e-tickets void.
-- Params   $1 id uuid, $2 purchase_id uuid, $3 reservation_id uuid, $4 seat_ids uuid[], $5 amount bigint, $6 kept bigint,
--          $7 reason text, $8 actor_id uuid or null, $9 key text or null, $10 at timestamptz
-- Returns  nothing
-- Locks    nothing that others wait for: the caller holds the seat map's lock
with stored as (
  insert into refunds (id, purchase_id, number, seat_ids, amount, kept, reason, actor_id, operation_key, created_at)
  values ($1::uuid, $2::uuid, 1 + (select count(*) from refunds where purchase_id = $2::uuid), $4::uuid[], $5::bigint,
          $6::bigint, $7::text, $8::uuid, $9::text, $10::timestamptz)
  returning id
), spoken_for as (
  update reservation_items
     set refund_id = stored.id
    from stored
   where reservation_id = $3::uuid and seat_id = any ($4::uuid[])
)
update etickets
   set voided_at = $10::timestamptz
 where reservation_id = $3::uuid and seat_id = any ($4::uuid[])
