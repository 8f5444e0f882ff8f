-- What is printed on the e-tickets of event $1 besides the seat.
-- Params   $1 event_id uuid
-- Returns  one row, or none when there is no such event; seatTypeNames as a JSON object of names by seat type
select organization_id as "organizationId", name as "eventName", location, time_zone as "timeZone", starts_at as "startsAt",
       ends_at as "endsAt", state = 'cancelled' as "isCancelled",
       (select coalesce(json_object_agg(seat_types.id, seat_types.name), '{}')
          from seat_types
         where seat_types.event_id = events.id) as "seatTypeNames"
  from events
 where id = $1::uuid
