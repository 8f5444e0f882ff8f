-- Seats that can be promised now: free, or held by somebody whose time is over.
-- Params   $1 event_id uuid
-- Returns  stock
select count(*) as stock
  from seats
 where event_id = $1::uuid and not retired
   and (status = 'available' or (status = 'held' and held_until < now()))
