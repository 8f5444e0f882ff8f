-- Take an event that is being cancelled under a lease: no other server works on it until the lease is over.
-- Params   $1 lease_seconds float8
-- Returns  one row, or none when nothing is to be done: eventId, message, by, isLineTold
-- Locks    the row it takes, passing over those that another server is just taking
with free as (
  select event_id
    from cancellations
   where state = 'RUNNING' and leased_until <= clock_timestamp()
   order by leased_until
   limit 1
     for update skip locked
)
update cancellations
   set leased_until = clock_timestamp() + make_interval(secs => $1::float8)
  from free
 where cancellations.event_id = free.event_id
returning cancellations.event_id as "eventId", message, cancelled_by as by, line_told_at is not null as "isLineTold"
