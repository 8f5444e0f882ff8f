-- Put seats on the plan of event $1: rows of numbered seats, and heaps of unnumbered ones.
-- Params   $1 event_id uuid, $2 spans jsonb: [{type, label or null, first, last, blocked, accessible, x, y, pitch}],
--          $3 the highest ordinal so far int
-- Returns  nothing
-- Locks    nothing that is sold: only seats taken off the plan earlier come back by conflict; the caller holds the seat map's lock, or the map is new
insert into seats (event_id, seat_type_id, ordinal, row_label, seat_number, x, y, accessible, status)
select $1::uuid,
       span.type,
       $3::int + row_number() over (order by span.place, number),
       span.label,
       case when span.label is not null then number end,
       span.x + (number - 1) * span.pitch,
       span.y,
       coalesce(number = any (span.accessible), false),
       case when number = any (span.blocked) then 'blocked' else 'available' end
  from rows from (
         jsonb_to_recordset($2::jsonb) as
           (type uuid, label text, first int, last int, blocked int[], accessible int[], x real, y real, pitch real)
       ) with ordinality as span (type, label, first, last, blocked, accessible, x, y, pitch, place)
 cross join generate_series(span.first, span.last) as number
    on conflict (seat_type_id, row_label, seat_number) do update
   set retired = false, status = excluded.status, accessible = excluded.accessible, x = excluded.x, y = excluded.y
 where seats.retired
