-- The entries of the returns list of event $1 that wait for seats, in the order of asking.
-- Params   $1 event_id uuid, $2 result_max int
-- Returns  id, email, language, seatTypeId, quantity
-- Locks    the entries, so that none leaves the list while seats are offered to it
select id, email, language, seat_type_id as "seatTypeId", quantity
  from return_requests
 where event_id = $1::uuid and status = 'waiting'
 order by asked_at, id
 limit $2
   for update
