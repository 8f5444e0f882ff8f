-- What seats of event $1 cost, by type.
-- Params   $1 event_id uuid
-- Returns  a row for each type: id, price, currency, isNumbered
select id, price, currency, reserved_seating as "isNumbered"
  from seat_types
 where event_id = $1::uuid
