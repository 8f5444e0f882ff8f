-- Lock the seat map of event $1, then the owners who will get seats, and read the ledger's clock after both.
-- Params   $1 event_id uuid, $2 'off' to find every row through its index from now on, 'on' to let the planner choose,
--          $3 owners uuid[]: accounts and guests for whom something new may be written, in ascending order
-- Returns  one row, or none when there is no such event: version, available, held, sold, blocked, offered,
--          freeFrom,
--          at (whole milliseconds), which later statements of the transaction find in the setting `seatwise.at`
-- Locks    the event's row in seat_maps until the transaction ends: all changes to its seats take turns here. Then each
--          owner's advisory lock, shared: no guest among them is adopted meanwhile. What a later statement reads about
--          adoptions stays true; this one took its snapshot too early for that. Adoption takes its seat maps before the
--          owner's lock, too, so that neither waits for the other in a circle
-- Plans    claims name the rows they want; a planner that guesses about tables that grow by the second would read all of
--          the event's seats instead. A transaction that redraws a plan wants just that.
with locked as materialized (
  select version, available, held, sold, blocked, offered, free_from as "freeFrom"
    from seat_maps
   where event_id = $1::uuid
     for update
), owned as materialized (
  select count(pg_advisory_xact_lock_shared(uuid_hash_extended(owner, 0))) as locks
    from locked, unnest($3::uuid[]) as owner
), opened as materialized (
  select locked.*, date_trunc('milliseconds', clock_timestamp()) as at
    from owned, locked
   where locks >= 0
)
select opened.*, set_config('seatwise.at', at::text, true),
       set_config('enable_seqscan', $2, true), set_config('enable_hashjoin', $2, true),
       set_config('enable_mergejoin', $2, true), set_config('jit', $2, true)
  from opened
