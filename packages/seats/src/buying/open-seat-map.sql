-- Lock the seat map of event $1, and read the ledger's clock once it is ours.
-- Params   $1 event_id uuid
-- Returns  one row, or none when there is no such event: version, available, held, sold, blocked, at (whole milliseconds)
-- Locks    the event's row in seat_maps until the transaction ends: all changes to its seats take turns here
with locked as materialized (
  select version, available, held, sold, blocked
    from seat_maps
   where event_id = $1::uuid
     for update
)
select locked.*, date_trunc('milliseconds', clock_timestamp()) as at
  from locked
