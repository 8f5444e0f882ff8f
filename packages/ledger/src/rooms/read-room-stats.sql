-- Statistics of a room, counted from its tickets: a group is one.
-- Params   $1 room_id uuid
-- Returns  one row
with tickets as (
  select state, reason, away, count(*) as number,
         sum(extract(epoch from admitted_at - joined_at)) as waited, count(admitted_at) as let_in,
         sum(extract(epoch from ended_at - admitted_at)) as served, count(ended_at - admitted_at) as done,
         max(admitted_at) as last_admitted
    from queue_entries
   where room_id = $1::uuid and stands_with is null
   group by state, reason, away
)
select coalesce(sum(number) filter (where state = 'waiting' and not away), 0)::bigint as waiting,
       coalesce(sum(number) filter (where state = 'waiting' and away), 0)::bigint as away,
       coalesce(sum(number) filter (where state = 'admitted'), 0)::bigint as admitted,
       coalesce(sum(number) filter (where state = 'active'), 0)::bigint as active,
       coalesce(sum(number) filter (where state = 'completed'), 0)::bigint as completed,
       coalesce(sum(number) filter (where state = 'expired'), 0)::bigint as expired,
       coalesce(json_object_agg(reason, number) filter (where reason is not null), '{}') as "expiredBy",
       (sum(waited) / nullif(sum(let_in), 0) * 1000)::double precision as "avgWaitMs",
       (sum(served) / nullif(sum(done), 0) * 1000)::double precision as "avgServiceMs",
       max(last_admitted) as "lastAdmissionAt"
  from tickets
