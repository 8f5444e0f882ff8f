-- Scans of an event that arrived after a moment, the latest first.
-- Params   $1 event_id uuid, $2 since timestamptz, $3 only_troubled boolean: those that should not have let in,
--          $4 result_max int
-- Returns  a row for each, with the scan that counts for the same e-ticket
select door_scans.id, door_scans.eticket_id as "eticketId", door_scans.door, door_scans.scanned_at as "scannedAt",
       door_scans.outcome, etickets.checked_in_at as "checkedInAt", counted.door as "countedDoor",
       seat_types.name as "seatTypeName", seats.row_label as "row", seats.seat_number as "number"
  from door_scans
  join etickets on etickets.id = door_scans.eticket_id
  join seats on seats.id = etickets.seat_id
  join seat_types on seat_types.id = seats.seat_type_id
  left join door_scans as counted on counted.eticket_id = door_scans.eticket_id and counted.outcome = 'in'
 where door_scans.event_id = $1::uuid and door_scans.received_at > $2::timestamptz
   and (not $3::boolean or door_scans.outcome <> 'in')
 order by door_scans.received_at desc, door_scans.id
 limit $4
