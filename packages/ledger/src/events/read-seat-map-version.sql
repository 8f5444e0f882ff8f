-- Whether the seat map of event $1 is still the one the caller has; cheap, because most of the time it is.
-- Params   $1 event_id uuid
-- Returns  one row: version, expired, as in read-seat-map.sql; none when there is no such event
select version,
       (select count(*)
          from reservations
         where event_id = $1::uuid and status = 'PENDING_PAYMENT' and expires_at <= now()) as expired
  from seat_maps
 where event_id = $1::uuid
