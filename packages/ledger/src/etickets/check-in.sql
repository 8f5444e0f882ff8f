-- Let the holder of an e-ticket in, unless it was used before or is void.
-- Params   $1 eticket_id uuid, $2 by uuid
-- Returns  when and of which event, if this call did it; no row otherwise
-- Locks    the e-ticket's row, after its reservation's (lock-paid.sql): of calls that come together the second waits, sees the first, and changes nothing
update etickets
   set checked_in_at = clock_timestamp(), checked_in_by = $2
 where id = $1 and checked_in_at is null and reservation_status = 'PAID'
   and (exists (select from purchases where reservation_id = etickets.reservation_id and status = 'PAID')
        or not exists (select from purchases where reservation_id = etickets.reservation_id and status = 'REFUNDING'))
returning checked_in_at as "checkedInAt", event_id as "eventId"
