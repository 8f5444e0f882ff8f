-- Find published events by words, best first.
-- Params   what fold-query.sql made of the words: $1 text, $2 all words tsquery, $3 all as beginnings tsquery, $4 the same
--          in name and place alone tsquery, $5 the longest words text[], at least one;
--          $6 from timestamptz or null, $7 to timestamptz or null, $8 folded place text or '', $9 result_max int,
--          then the last result of the page before, or nulls: $10 score int, $11 happens_at timestamptz, $12 id uuid;
--          $13 whether what is over is left out boolean, $14 organization_id uuid or null;
--          $15 from day date or null, $16 to day date or null, both by the clock at the venue; $17 highest price numeric or
--          null, in the units that people count in, $18 the decimals of currencies that have not two of them jsonb
-- Returns  id, score, happens_at as text; ordered by score, then the sooner one
-- Bounds   every step takes at most 200 candidates, and only while the better ones before it are fewer than 100, so that
--          common words cost no more than rare ones; whatever is found has its exact score, and a page after another
--          never repeats an event. The queries are parameters, not computed here, so that the planner sees how common
--          a word is: what is in every event is found at once without an index, what is rare only through one.
-- Scores   thousands: 9 the name or the code itself, 8 a name that starts with it, 7 all words in the name,
--          6 all words begin words of the name, 5 of name and place, 4 of name, place and description,
--          3 it is part of name or place, 2 typing errors; below that, how much of the name it is
with alike as materialized (
  -- How similar words must be: set until the end of this statement. Every part that compares words reads this row first.
  select set_config('pg_trgm.word_similarity_threshold', '0.45', true) as threshold,
         $1::text as text, $8::text as place,
         $5::text[] as longest
), by_name as materialized (
  select id
    from events
   where name_folded collate "C" >= $1
     and name_folded collate "C" < $1 || chr(1114111)
     and state = 'published' and (not $13::boolean or over_at > now())
     and ($14::uuid is null or organization_id = $14)
     and happens_at >= coalesce($6::timestamptz, '-infinity') and happens_at <= coalesce($7::timestamptz, 'infinity')
     and ($8 = '' or place_folded %> (select place from alike))
   order by name_folded collate "C", id
   limit 200
), by_name_words as materialized (
  select id
    from events
   where name_words @@ $3::tsquery
     and state = 'published' and (not $13::boolean or over_at > now())
     and ($14::uuid is null or organization_id = $14)
     and happens_at >= coalesce($6::timestamptz, '-infinity') and happens_at <= coalesce($7::timestamptz, 'infinity')
     and ($8 = '' or place_folded %> (select place from alike))
     and (select count(*) from by_name) < 100
   limit 200
), named as materialized (
  select id from by_name union select id from by_name_words
), by_words as (
  select id
    from events
   where words @@ $3::tsquery
     and state = 'published' and (not $13::boolean or over_at > now())
     and ($14::uuid is null or organization_id = $14)
     and happens_at >= coalesce($6::timestamptz, '-infinity') and happens_at <= coalesce($7::timestamptz, 'infinity')
     and ($8 = '' or place_folded %> (select place from alike))
     and (select count(*) from named) < 100
   limit 200
), firm as materialized (
  select id from named union select id from by_words
), by_likeness as materialized (
  select id
    from events
   where (near_folded like (select case when length(text) > 2 then '%' || text || '%' end from alike)
          or (near_folded %> (select longest[1] from alike)
              and near_folded %> (select coalesce(longest[2], longest[1]) from alike)
              and near_folded %> (select coalesce(longest[3], longest[1]) from alike)
              and near_folded %> (select coalesce(longest[4], longest[1]) from alike)))
     and state = 'published' and (not $13::boolean or over_at > now())
     and ($14::uuid is null or organization_id = $14)
     and happens_at >= coalesce($6::timestamptz, '-infinity') and happens_at <= coalesce($7::timestamptz, 'infinity')
     and ($8 = '' or place_folded %> (select place from alike))
     -- Similar names are added only if there are few exact matches.
     and (select count(*) from firm) < 20
   limit 200
), found as materialized (
  select id from firm union select id from by_likeness
), by_whole_likeness as (
  -- An error in a short word leaves nothing of it that is alike, but much of the whole.
  select id
    from events
   where near_folded %> (select text from alike)
     and state = 'published' and (not $13::boolean or over_at > now())
     and ($14::uuid is null or organization_id = $14)
     and happens_at >= coalesce($6::timestamptz, '-infinity') and happens_at <= coalesce($7::timestamptz, 'infinity')
     and ($8 = '' or place_folded %> (select place from alike))
     and (select count(*) from found) < 20
   limit 200
), ranked as materialized (
  select events.id,
         happens_at,
         name_folded,
         near_folded,
         case
           when name_folded = $1 or code_folded = $1 then 9000
           when starts_with(name_folded, $1) then 8000
           when name_words @@ $2::tsquery then 7000
           when name_words @@ $3::tsquery then 6000
           when words @@ $4::tsquery then 5000
           when words @@ $3::tsquery then 4000
           when position($1 in near_folded) > 0 then 3000
           else 2000
         end as rank
    from (select id from found union select id from by_whole_likeness) as candidates
    join events using (id)
   where true
   and ($15::date is null or (happens_at at time zone time_zone)::date >= $15)
   and ($16::date is null or (happens_at at time zone time_zone)::date <= $16)
   and ($17::numeric is null or exists (
          select from seat_types
           where seat_types.event_id = events.id and not hidden
             and case when jsonb_array_length(variants) = 0 then price
                      else (select min((variant ->> 'price')::bigint) from jsonb_array_elements(variants) as variant) end
                 <= $17 * power(10::numeric, coalesce(($18::jsonb ->> currency)::int, 2))))
), scored as (
  select id,
         happens_at,
         rank + (999 * case
                         when rank > 3000 then similarity(name_folded, $1)
                         else word_similarity($1, near_folded)
                       end)::int as score
    from ranked
)
select id, score, happens_at::text as happens_at
  from scored
 where $10::int is null
    or (-score, scored.happens_at, id) > (-$10::int, $11::timestamptz, $12::uuid)
 order by score desc, scored.happens_at, id
 limit $9
