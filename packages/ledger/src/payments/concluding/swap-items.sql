-- Replace seats of a reservation that are gone by others of the same type, at the same price.
-- Params   $1 reservation_id uuid, $2 seat_ids that go uuid[], $3 seat_ids that come uuid[], one for each
-- Returns  nothing
update reservation_items
   set seat_id = swap.come
  from unnest($2::uuid[], $3::uuid[]) as swap (gone, come)
 where reservation_id = $1::uuid and seat_id = swap.gone
