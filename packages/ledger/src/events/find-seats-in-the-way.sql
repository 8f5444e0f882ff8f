-- Say which seats stand in the way of rows being drawn anew.
-- Params   $1 seat_type_id uuid, $2 rows jsonb: [{label, numbers, blocked}]
-- Returns  row_label, seat_number, status of each seat that would go or be blocked although it is held or sold
-- Locks    nothing: the caller holds the seat map's lock, so no seat changes meanwhile
select row_label, seat_number, status
  from seats
  join jsonb_to_recordset($2::jsonb) as wanted (label text, numbers int[], blocked int[]) on label = row_label
 where seat_type_id = $1::uuid
   and not retired
   and status in ('held', 'sold')
   and (seat_number <> all (wanted.numbers) or seat_number = any (wanted.blocked))
 order by ordinal
