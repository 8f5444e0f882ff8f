-- Whether the code of reservation $1, which is neither pending nor paid, has no use left for it.
-- Params   $1 reservation_id uuid, $2 at timestamptz
-- Returns  one row if it has none left, by all buyers or by this one; none otherwise, also without a code
select codes.id
  from reservations
  join codes on codes.id = code_id
 where reservations.id = $1::uuid
   and (uses >= uses_max
        or per_buyer_max <= (
             select count(*)
               from (select * from reservations as own where own.buyer_id = reservations.buyer_id offset 0) as theirs
              where theirs.code_id = codes.id
                and (status = 'PAID' or (status = 'PENDING_PAYMENT' and expires_at > $2::timestamptz))))
