-- A reservation is paid. Its items follow by themselves, and each of its seats can be sold only once.
-- Params   $1 id uuid, $2 at timestamptz
-- Returns  nothing
update reservations
   set status = 'PAID', paid_at = $2::timestamptz, updated_at = $2::timestamptz
 where id = $1::uuid
