-- Finds the tickets of a guest who signs in, in whichever room; only guests' live tickets are in it, so it stays small.
create index queue_entries_live_guest on queue_entries (identity)
  where user_id is null and state in ('waiting', 'admitted', 'active');
