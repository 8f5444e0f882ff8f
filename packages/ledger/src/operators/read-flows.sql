-- What happened in a room after an entry of its log, added up for each two seconds of each epoch.
-- Params   $1 room_id uuid, the last entry that was added up before: $2 epoch bigint, $3 seq bigint, $4 entries_max int
-- Returns  epoch, at in milliseconds (where the two seconds begin), entries, last seq, and what changed; oldest first.
--          Times are sums in milliseconds; settings are those that the last entry of them changed
-- Plans    one look into the key for each ticket: `offset 0` keeps the planner from reading the whole room instead
with entries as (
  select room_log.epoch, room_log.seq, room_log.at, room_log.kind, room_log.body
    from room_log
   where room_log.room_id = $1::uuid and (room_log.epoch, room_log.seq) > ($2::bigint, $3::bigint)
   order by room_log.epoch, room_log.seq
   limit $4
), happened as (
  -- One row for each ticket of an entry; an entry about none has one row, too.
  select entries.epoch, entries.seq, entries.kind, entries.body, changed.part,
         (floor(extract(epoch from entries.at) / 2) * 2000)::bigint as slot,
         entries.kind = 'expired' and entries.body ->> 'ranks' is not null or entries.body ->> 'merged' is not null as left_line,
         (entries.kind = 'completed' or (entries.kind = 'expired' and entries.body ->> 'ranks' is null
           and ticket.admitted_at is not null)) as left_floor,
         extract(epoch from entries.at - ticket.joined_at) * 1000 as waited_ms,
         extract(epoch from entries.at - ticket.admitted_at) * 1000 as served_ms
    from entries
   cross join lateral jsonb_array_elements_text(
           case when entries.kind in ('away', 'back', 'expired') then entries.body -> 'numbers'
                else jsonb_build_array(entries.body -> 'number')
           end
         ) with ordinality as changed (number, part)
    left join lateral (
           select joined_at, admitted_at
             from queue_entries
            where entries.kind in ('admitted', 'completed', 'expired')
              and room_id = $1::uuid and number = changed.number::bigint
           offset 0
         ) as ticket on true
)
select epoch, slot as at, (count(*) filter (where part = 1))::int as entries, max(seq) as seq,
       max((body ->> 'waiting')::int) filter (where kind = 'opened') as "waitingAtFirst",
       max((body ->> 'floor')::int) filter (where kind = 'opened') as "floorAtFirst",
       count(*) filter (where kind in ('joined', 'restored'))::int as arrived,
       count(*) filter (where kind = 'back')::int as back,
       count(*) filter (where kind = 'away')::int as away,
       count(*) filter (where kind = 'admitted')::int as admitted,
       count(*) filter (where left_line)::int as "leftLine",
       count(*) filter (where left_floor)::int as "leftFloor",
       count(*) filter (where kind = 'expired' and body ->> 'reason' = 'no_show')::int as "noShows",
       coalesce(sum(waited_ms) filter (where kind = 'admitted'), 0)::double precision as "waitedMs",
       coalesce(sum(served_ms) filter (where left_floor), 0)::double precision as "servedMs",
       (array_agg(coalesce(body #> '{rules,settings,ratePerMinute}', body #> '{settings,ratePerMinute}')::int order by seq desc)
         filter (where coalesce(body #> '{rules,settings,ratePerMinute}', body #> '{settings,ratePerMinute}') is not null))[1]
         as "ratePerMinute",
       (array_agg(coalesce(body #> '{rules,settings,capacity}', body #> '{settings,capacity}')::int order by seq desc)
         filter (where coalesce(body #> '{rules,settings,capacity}', body #> '{settings,capacity}') is not null))[1]
         as capacity,
       (array_agg(coalesce(body #> '{rules,paused}', body -> 'paused')::boolean order by seq desc)
         filter (where coalesce(body #> '{rules,paused}', body -> 'paused') is not null))[1] as paused
  from happened
 group by epoch, slot
 order by epoch, slot
