-- The tickets that joined a room before an entry of its log, and the classes that codes gave them, a page at a time.
-- Params   $1 room_id uuid, the entry: $2 epoch bigint, $3 seq bigint, the last entry of the page before: $4 epoch bigint,
--          $5 seq bigint, $6 result_max int
-- Returns  one row: the last entry of the page (epoch, seq; null when it is empty), `tickets` as text in the
--          log's order, 'number:class,…': of one number the last class counts
with page as (
  select epoch, seq, body
    from room_log
   where room_id = $1::uuid and (epoch, seq) < ($2::bigint, $3::bigint) and (epoch, seq) > ($4::bigint, $5::bigint)
     and kind in ('joined', 'restored', 'classed')
   order by epoch, seq
   limit $6::int
)
select max(epoch) as epoch,
       (select seq from page order by epoch desc, seq desc limit 1) as seq,
       coalesce(string_agg((body ->> 'number') || ':' || (body ->> 'class'), ',' order by epoch, seq), '') as tickets
  from page
