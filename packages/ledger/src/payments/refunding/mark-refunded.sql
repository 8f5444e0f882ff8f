-- Every seat of a paid reservation is refunded. Its items follow by themselves.
-- Params   $1 id uuid, $2 at timestamptz
-- Returns  nothing
update reservations
   set status = 'REFUNDED', updated_at = $2::timestamptz
 where id = $1::uuid and status = 'PAID'
