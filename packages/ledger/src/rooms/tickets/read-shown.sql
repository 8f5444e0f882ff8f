-- Who of these tickets agreed to be shown, and how.
-- Params   $1 room_id uuid, $2 numbers bigint[]
-- Returns  one row per ticket the ledger has; shown is null for those who did not agree
select number, shown
  from queue_entries
 where room_id = $1::uuid and number = any ($2::bigint[])
