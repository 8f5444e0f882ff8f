-- Whether the seat map of event $1 is still the one somebody has; cheap, because most of the time it is.
-- Params   $1 event_id uuid
-- Returns  one row: version, expired, as in read-seat-map.sql
select coalesce(sum(revision), 0)::bigint as version,
       count(*) filter (where status = 'held' and held_until <= now()) as expired
  from seats
 where event_id = $1::uuid
