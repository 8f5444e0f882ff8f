-- Find published events by date and place alone, the soonest first.
-- Params   $1 from timestamptz or null, $2 to timestamptz or null, $3 folded place text or '', $4 result_max int,
--          then the last result of the page before, or nulls: $5 happens_at timestamptz, $6 id uuid
-- Returns  id, happens_at as text
with alike as materialized (
  -- How similar a place must be: set until the end of this statement.
  select $3::text as place, set_config('pg_trgm.word_similarity_threshold', '0.45', true) as threshold
)
select id, happens_at::text as happens_at
  from events
 where state = 'published'
   and happens_at >= coalesce($1::timestamptz, '-infinity') and happens_at <= coalesce($2::timestamptz, 'infinity')
   and ($3 = '' or place_folded %> (select place from alike))
   and ($6::uuid is null or (events.happens_at, id) > ($5::timestamptz, $6::uuid))
 order by events.happens_at, id
 limit $4
