-- Make the seats that rows have already as the rows are now drawn: retired, blocked, free again, accessible, moved.
-- Params   $1 seat_type_id uuid, $2 rows jsonb: [{label, numbers, along, xs, ys, blocked, accessible}]
-- Returns  nothing
-- Locks    nothing that others wait for: the caller holds the seat map's lock, and find-seats-in-the-way.sql found none
with wanted as (
  select *
    from jsonb_to_recordset($2::jsonb) as wanted
           (label text, numbers int[], along int[], xs real[], ys real[], blocked int[], accessible int[])
), wanted_seats as (
  select label, seat.*
    from wanted
   cross join unnest(numbers, along, xs, ys) as seat (number, along, x, y)
), changed as (
  select seats.id,
         wanted_seats.number is null as retired,
         case
           when wanted_seats.number is null or seat_number = any (wanted.blocked) then 'blocked'
           when status = 'blocked' then 'available'
           else status
         end as status,
         coalesce(seat_number = any (wanted.accessible), false) as accessible,
         coalesce(wanted_seats.along, seats.along) as along,
         wanted_seats.x,
         wanted_seats.y
    from seats
    join wanted on wanted.label = row_label
    left join wanted_seats on wanted_seats.label = row_label and wanted_seats.number = seat_number
   where seat_type_id = $1::uuid
     and not seats.retired
)
update seats
   set retired = changed.retired, status = changed.status, accessible = changed.accessible, along = changed.along,
       x = changed.x, y = changed.y
  from changed
 where seats.id = changed.id
   and (seats.retired, seats.status, seats.accessible, seats.along, seats.x, seats.y)
       is distinct from (changed.retired, changed.status, changed.accessible, changed.along, changed.x, changed.y)
