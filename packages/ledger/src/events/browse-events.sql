-- Find published events by date and place alone, the soonest first.
-- Params   $1 from timestamptz or null, $2 to timestamptz or null, $3 folded place text or '', $4 result_max int,
--          then the last result of the page before, or nulls: $5 happens_at timestamptz, $6 id uuid;
--          $7 whether what is over is left out boolean, $8 organization_id uuid or null;
--          $9 from day date or null, $10 to day date or null, both by the clock at the venue; $11 highest price numeric or
--          null, in the units that people count in, $12 the decimals of currencies that have not two of them jsonb
-- Returns  id, happens_at as text
with alike as materialized (
  -- How similar a place must be: set until the end of this statement.
  select $3::text as place, set_config('pg_trgm.word_similarity_threshold', '0.45', true) as threshold
)
select id, happens_at::text as happens_at
  from events
 where state = 'published' and (not $7::boolean or over_at > now())
   and ($8::uuid is null or organization_id = $8)
   and ($9::date is null or (happens_at at time zone time_zone)::date >= $9)
   and ($10::date is null or (happens_at at time zone time_zone)::date <= $10)
   and ($11::numeric is null or exists (
          select from seat_types
           where seat_types.event_id = events.id and not hidden
             and case when jsonb_array_length(variants) = 0 then price
                      else (select min((variant ->> 'price')::bigint) from jsonb_array_elements(variants) as variant) end
                 <= $11 * power(10::numeric, coalesce(($12::jsonb ->> currency)::int, 2))))
   and happens_at >= coalesce($1::timestamptz, '-infinity') and happens_at <= coalesce($2::timestamptz, 'infinity')
   and ($3 = '' or place_folded %> (select place from alike))
   and ($6::uuid is null or (events.happens_at, id) > ($5::timestamptz, $6::uuid))
 order by events.happens_at, id
 limit $4
