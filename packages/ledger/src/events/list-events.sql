-- The ids of published events that are not over, in order of their beginning, a page at a time; those without a date come last.
-- Params   $1 result_max int, then the last event of the page before: $2 listed_at timestamptz, $3 id uuid;
--          for the first page what is before all of them
-- Returns  id, listed_at as text, to the microsecond
-- Bounds   reads no event that is over: each part of the list has an index of its own, see 026-list-of-events.sql.
--          What has begun is materialized, or the planner walks through the past in search of it.
with under_way as materialized (
  select id, listed_at
    from events
   where starts_at is not null and state = 'published' and tstzrange(starts_at, over_at) @> now()
)
select id, listed_at::text as listed_at
  from (
         select id, listed_at
           from under_way
         union all
         (select id, listed_at
            from events
           where starts_at is not null and state = 'published' and listed_at > now()
             and (listed_at, id) > ($2::timestamptz, $3::uuid)
           order by listed_at, id
           limit $1)
         union all
         select id, listed_at
           from events
          where starts_at is null and state = 'published' and over_at > now()
       ) as parts
 where (parts.listed_at, id) > ($2::timestamptz, $3::uuid)
 order by parts.listed_at, id
 limit $1
