-- Put seats on the plan of event $1: rows of numbered seats, and heaps of unnumbered ones.
-- Params   $1 event_id uuid, $2 spans jsonb: [{type, label, numbers, along, xs, ys, blocked, accessible}] or [{type, count}],
--          $3 the highest ordinal so far int
-- Returns  nothing
-- Locks    nothing that is sold: only seats taken off the plan earlier come back by conflict; the caller holds the seat map's lock, or the map is new
insert into seats (event_id, seat_type_id, ordinal, row_label, seat_number, along, x, y, accessible, status)
select $1::uuid,
       span.type,
       $3::int + row_number() over (order by span.place, seat.place),
       span.label,
       seat.number,
       seat.along,
       seat.x,
       seat.y,
       coalesce(seat.number = any (span.accessible), false),
       case when seat.number = any (span.blocked) then 'blocked' else 'available' end
  from rows from (
         jsonb_to_recordset($2::jsonb) as
           (type uuid, label text, numbers int[], along int[], xs real[], ys real[], blocked int[], accessible int[], count int)
       ) with ordinality as span (type, label, numbers, along, xs, ys, blocked, accessible, count, place)
 cross join lateral (
         select number, along, x, y, numbered.place
           from unnest(span.numbers, span.along, span.xs, span.ys) with ordinality as numbered (number, along, x, y, place)
         union all
         select null, null, null, null, heaped.place
           from generate_series(1, span.count) as heaped (place)
       ) as seat
    on conflict (seat_type_id, row_label, seat_number) do update
   set retired = false, status = excluded.status, accessible = excluded.accessible, along = excluded.along,
       x = excluded.x, y = excluded.y
 where seats.retired
