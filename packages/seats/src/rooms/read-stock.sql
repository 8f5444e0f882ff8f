-- What is left of an event's seats, as of the latest version of its seat map.
-- Params   $1 event_id uuid
-- Returns  one row, or none when there is no such event: version, stock (available seats), heldSeats
select version, available as stock, held as "heldSeats"
  from seat_maps
 where event_id = $1::uuid
