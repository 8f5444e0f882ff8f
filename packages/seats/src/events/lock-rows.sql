-- Lock every seat of the rows that are to change, and say which of them cannot.
-- Params   $1 seat_type_id uuid, $2 rows jsonb: [{label, seats, blocked}]
-- Returns  row_label, seat_number, status of each seat that would go or be blocked although it is held or sold
-- Locks    seats by ascending id, as claims do, so that the two cannot deadlock
with locked as materialized (
  select seats.*
    from seats
   where seat_type_id = $1::uuid
     and row_label in (select label from jsonb_to_recordset($2::jsonb) as wanted (label text))
     and not retired
   order by id
     for update
)
select row_label, seat_number, status
  from locked
  join jsonb_to_recordset($2::jsonb) as wanted (label text, seats int, blocked int[]) on label = row_label
 where status in ('held', 'sold')
   and (seat_number > wanted.seats or seat_number = any (wanted.blocked))
 order by ordinal
