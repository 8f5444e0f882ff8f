-- Let the holder of an e-ticket in, unless it was used before or is void.
-- Params   $1 eticket_id uuid, $2 by uuid, $3 generation int of the code that was shown, or null for the current one,
--          $4 scanned_at timestamptz of a device that was offline, or null for now
-- Returns  when and of which event, if this call did it; no row otherwise
-- Locks    the e-ticket's row, after its reservation's (lock-paid.sql): of calls that come together the second waits, sees the first, and changes nothing
-- Holds    no e-ticket is used before it was issued, nor in the future: devices have clocks of their own
update etickets
   set checked_in_at = least(greatest(coalesce($4::timestamptz, clock_timestamp()), issued_at), clock_timestamp()), checked_in_by = $2
 where id = $1 and checked_in_at is null and reservation_status = 'PAID' and voided_at is null
   and generation = coalesce($3::int, generation)
returning checked_in_at as "checkedInAt", event_id as "eventId"
