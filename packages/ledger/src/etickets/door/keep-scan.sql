-- Keep a scan that let a holder in.
-- Params   $1 id uuid, $2 eticket_id uuid, $3 door text or null, $4 scanned_by uuid, $5 scanned_at timestamptz or null for now,
--          $6 outcome text
-- Returns  nothing; a scan that is kept already stays as it is
insert into door_scans (id, event_id, eticket_id, door, scanned_by, scanned_at, outcome)
select $1::uuid, event_id, id, $3, $4::uuid, least(coalesce($5::timestamptz, clock_timestamp()), clock_timestamp()), $6
  from etickets
 where id = $2::uuid
    on conflict (id) do nothing
