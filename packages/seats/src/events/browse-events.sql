-- Find events by date and place alone, the soonest first.
-- Params   $1 from timestamptz or null, $2 to timestamptz or null, $3 place text or '', $4 result_max int,
--          then the last result of the page before, or nulls: $5 happens_at in microseconds bigint, $6 id uuid
-- Returns  id, happens_at_us
with query as materialized (
  select fold_text($3) as place, set_config('pg_trgm.word_similarity_threshold', '0.45', true) as threshold
)
select id, (extract(epoch from happens_at) * 1000000)::bigint as happens_at_us
  from events
 where happens_at >= coalesce($1::timestamptz, '-infinity') and happens_at <= coalesce($2::timestamptz, 'infinity')
   and ($3 = '' or place_folded %> (select place from query))
   and ($6::uuid is null or (happens_at, id) > (to_timestamp(0) + $5::bigint * interval '1 microsecond', $6::uuid))
 order by happens_at, id
 limit $4
