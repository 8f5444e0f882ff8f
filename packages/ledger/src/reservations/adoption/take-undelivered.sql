-- Take adoptions of guests who, as far as the ledger knows, have live tickets; other servers leave them alone for a moment.
-- Params   $1 result_max int
-- Returns  guestId, userId, identity, roomId: one row for each live ticket
-- Locks    the adoptions it takes; those that another server takes at the same time are left out
with live as materialized (
  select adoptions.guest_id, room_id
    from adoptions
    join queue_entries on queue_entries.identity = adoptions.identity
                      and queue_entries.user_id is null and state in ('waiting', 'admitted', 'active')
   where delivered_at is null
     -- The server that adopted tells the lines at once. A ticket with a reservation may stay for minutes: asked less often.
     and coalesce(tried_at, adopted_at) + greatest(interval '1 second', (clock_timestamp() - adopted_at) / 8)
         < clock_timestamp()
   limit $1
), due as materialized (
  select guest_id
    from adoptions
   where guest_id in (select guest_id from live)
     for update skip locked
), taken as (
  update adoptions
     set tried_at = clock_timestamp()
    from due
   where adoptions.guest_id = due.guest_id
  returning adoptions.guest_id, user_id, identity
)
select taken.guest_id as "guestId", user_id as "userId", identity, room_id as "roomId"
  from taken
  join live using (guest_id)
