-- A reservation that was just written is paid at the door: its purchase, and the entry in the till's book.
-- Params   $1 at timestamptz, $2 reservation_id uuid, $3 purchase_id uuid, $4 amount bigint, $5 currency text,
--          $6 seller_id uuid, $7 key text: the operation that waits for the answer, $8 event_id uuid, $9 method text,
--          $10 seats int
-- Returns  nothing
-- Locks    nothing that others wait for: the caller holds the seat map's lock
-- Holds    items follow the reservation by themselves, and each seat can be sold only once
with paid as (
  update reservations
     set status = 'PAID', paid_at = $1::timestamptz, updated_at = $1::timestamptz
   where id = $2::uuid
), bought as (
  insert into purchases (id, reservation_id, provider, status, amount, currency, captured, actor_id, operation_key,
                         paid_at, created_at, updated_at)
  values ($3::uuid, $2::uuid, 'door', 'PAID', $4::bigint, $5, $4::bigint, $6::uuid, $7, $1::timestamptz,
          $1::timestamptz, $1::timestamptz)
)
insert into door_sales (purchase_id, event_id, seller_id, method, amount, currency, seats, sold_at)
values ($3::uuid, $8::uuid, $6::uuid, $9, $4::bigint, $5, $10::int, $1::timestamptz)
