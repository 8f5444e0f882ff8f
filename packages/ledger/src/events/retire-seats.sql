-- Take up to $2 free seats without a number off the plan, the last ones first.
-- Params   $1 seat_type_id uuid, $2 seats int
-- Returns  id of each seat that went; fewer than asked means that the rest is held or sold
-- Locks    nothing that others wait for: the caller holds the seat map's lock
update seats
   set retired = true, status = 'blocked'
 where id in (
         select id
           from seats
          where seat_type_id = $1::uuid and not retired and status in ('available', 'blocked')
          order by ordinal desc
          limit $2)
returning id
