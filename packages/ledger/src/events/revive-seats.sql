-- Put up to $2 seats without a number back on the plan that were taken off it before.
-- Params   $1 seat_type_id uuid, $2 seats int
-- Returns  id of each seat that came back
update seats
   set retired = false, status = 'available'
 where id in (select id from seats where seat_type_id = $1::uuid and retired order by ordinal limit $2)
returning id
