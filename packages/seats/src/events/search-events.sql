-- Find events by words, best first.
-- Params   $1 words text, $2 from timestamptz or null, $3 to timestamptz or null, $4 place text or '',
--          $5 result_max int, then the last result of the page before, or nulls: $6 score int,
--          $7 happens_at timestamptz, $8 id uuid
-- Returns  id, score, happens_at as text; ordered by score, then the sooner one
-- Bounds   every step looks for a few hundred candidates through an index of its own, so that common words cost no more
--          than rare ones; whatever is found has its exact score, and a page after another never repeats an event
-- Scores   thousands: 9 the name or the code itself, 8 a name that starts with it, 7 all words in the name,
--          6 all words begin words of the name, 5 of name and place, 4 of name, place and description,
--          3 it is part of name or place, 2 typing errors; below that, how much of the name it is
with query as materialized (
  select folded,
         -- How alike words must be; holds until the end of this statement, and is set before any index is asked.
         set_config('pg_trgm.word_similarity_threshold', '0.45', true) as threshold,
         (select string_agg(quote_literal(word), ' & ')::tsquery
            from unnest(string_to_array(folded, ' ')) as word) as whole,
         -- One Latin letter begins too many words to say anything.
         (select string_agg(quote_literal(word) || case when octet_length(word) > 1 then ':*' else '' end, ' & ')::tsquery
            from unnest(string_to_array(folded, ' ')) as word) as beginnings,
         (select string_agg(quote_literal(word) || case when octet_length(word) > 1 then ':*AB' else ':AB' end, ' & ')::tsquery
            from unnest(string_to_array(folded, ' ')) as word) as near_beginnings,
         -- Typing errors are forgiven in the four longest words; the first stands in for those that are missing.
         (select array_agg(word order by length(word) desc, word)
            from unnest(string_to_array(folded, ' ')) as word) as longest
    from (select fold_text($1) as folded) as input
   where folded <> ''
), by_name as (
  select id
    from events
   where name_folded collate "C" >= (select folded from query)
     and name_folded collate "C" < (select folded || chr(1114111) from query)
     and happens_at >= coalesce($2::timestamptz, '-infinity') and happens_at <= coalesce($3::timestamptz, 'infinity')
     and ($4 = '' or place_folded %> fold_text($4))
   order by name_folded collate "C", id
   limit 200
), by_name_words as (
  select id
    from events
   where name_words @@ (select beginnings from query)
     and happens_at >= coalesce($2::timestamptz, '-infinity') and happens_at <= coalesce($3::timestamptz, 'infinity')
     and ($4 = '' or place_folded %> fold_text($4))
   limit 200
), by_words as (
  select id
    from events
   where words @@ (select beginnings from query)
     and happens_at >= coalesce($2::timestamptz, '-infinity') and happens_at <= coalesce($3::timestamptz, 'infinity')
     and ($4 = '' or place_folded %> fold_text($4))
   limit 200
), firm as materialized (
  select id from by_name union select id from by_name_words union select id from by_words
), forgiven as (
  select id
    from events
   where (near_folded like (select case when length(folded) > 2 then '%' || folded || '%' end from query)
          or near_folded %> (select folded from query)
          or (near_folded %> (select longest[1] from query)
              and near_folded %> (select coalesce(longest[2], longest[1]) from query)
              and near_folded %> (select coalesce(longest[3], longest[1]) from query)
              and near_folded %> (select coalesce(longest[4], longest[1]) from query)))
     and happens_at >= coalesce($2::timestamptz, '-infinity') and happens_at <= coalesce($3::timestamptz, 'infinity')
     and ($4 = '' or place_folded %> fold_text($4))
     -- Guessing is for those who would otherwise find next to nothing.
     and (select count(*) from firm) < 20
   limit 200
), scored as (
  select events.id,
         happens_at,
         case
           when name_folded = folded or code_folded = folded then 9000
           when starts_with(name_folded, folded) then 8000
           when name_words @@ whole then 7000
           when name_words @@ beginnings then 6000
           when words @@ near_beginnings then 5000
           when words @@ beginnings then 4000
           when position(folded in near_folded) > 0 then 3000
           else 2000
         end
         + (999 * greatest(similarity(name_folded, folded), word_similarity(folded, near_folded) / 2))::int as score
    from (select id from firm union select id from forgiven) as found
    join events using (id)
   cross join query
)
select id, score, happens_at::text as happens_at
  from scored
 where $6::int is null
    or (-score, scored.happens_at, id) > (-$6::int, $7::timestamptz, $8::uuid)
 order by score desc, scored.happens_at, id
 limit $5
