-- Make the seats that rows have already as the rows are now drawn: retired, blocked, free again, accessible, moved.
-- Params   $1 seat_type_id uuid, $2 rows jsonb: [{label, seats, blocked, accessible, x, y, pitch}]
-- Returns  nothing
-- Locks    nothing that others wait for: the caller holds the seat map's lock, and find-seats-in-the-way.sql found none
with changed as (
  select seats.id,
         seat_number > wanted.seats as retired,
         case
           when seat_number > wanted.seats or seat_number = any (wanted.blocked) then 'blocked'
           when status = 'blocked' then 'available'
           else status
         end as status,
         coalesce(seat_number = any (wanted.accessible), false) as accessible,
         (wanted.x + (seat_number - 1) * wanted.pitch)::real as x,
         wanted.y
    from seats
    join jsonb_to_recordset($2::jsonb) as wanted
           (label text, seats int, blocked int[], accessible int[], x real, y real, pitch real) on label = row_label
   where seat_type_id = $1::uuid
     and not seats.retired
)
update seats
   set retired = changed.retired, status = changed.status, accessible = changed.accessible, x = changed.x, y = changed.y
  from changed
 where seats.id = changed.id
   and (seats.retired, seats.status, seats.accessible, seats.x, seats.y)
       is distinct from (changed.retired, changed.status, changed.accessible, changed.x, changed.y)
