-- Whether e-tickets of event $1 may still change hands: until the time that the organiser set, else until the event begins.
-- Params   $1 event_id uuid
-- Returns  isClosed
select coalesce(coalesce((after ->> 'transfersUntil')::timestamptz, starts_at) <= clock_timestamp(), false) as "isClosed"
  from events
 where id = $1::uuid
