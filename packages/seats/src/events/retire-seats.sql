-- Take up to $2 free seats without a number off the plan, the last ones first.
-- Params   $1 seat_type_id uuid, $2 seats int
-- Returns  id of each seat that went; fewer than asked means that the rest was taken meanwhile, or is held or sold
-- Locks    the chosen seats by ascending id, as claims do; whatever was claimed while we waited falls out of the choice
with chosen as (
  select id
    from seats
   where seat_type_id = $1::uuid
     and not retired
     and status in ('available', 'blocked')
   order by ordinal desc
   limit $2
), locked as (
  select id
    from seats
   where id in (select id from chosen)
     and status in ('available', 'blocked')
   order by id
     for update
)
update seats
   set retired = true, status = 'blocked'
  from locked
 where seats.id = locked.id
returning seats.id
