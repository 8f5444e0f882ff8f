-- Lock the seat map of event $1, and read the ledger's clock once it is ours.
-- Params   $1 event_id uuid, $2 'off' to find every row through its index from now on, 'on' to let the planner choose
-- Returns  one row, or none when there is no such event: version, available, held, sold, blocked, freeFrom,
--          at (whole milliseconds), which later statements of the transaction find in the setting `seatwise.at`
-- Locks    the event's row in seat_maps until the transaction ends: all changes to its seats take turns here
-- Plans    claims name the rows they want; a planner that guesses about tables that grow by the second would read all of
--          the event's seats instead. Whoever redraws a plan wants just that.
with locked as materialized (
  select version, available, held, sold, blocked, free_from as "freeFrom"
    from seat_maps
   where event_id = $1::uuid
     for update
), opened as materialized (
  select *, date_trunc('milliseconds', clock_timestamp()) as at
    from locked
)
select opened.*, set_config('seatwise.at', at::text, true),
       set_config('enable_seqscan', $2, true), set_config('enable_hashjoin', $2, true),
       set_config('enable_mergejoin', $2, true), set_config('jit', $2, true)
  from opened
