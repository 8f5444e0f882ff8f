-- Count the seats of event $1 one by one, as the counts of its seat map must be.
-- Params   $1 event_id uuid
-- Returns  one row: available, held, sold, blocked
select count(*) filter (where status = 'available') as available,
       count(*) filter (where status = 'held') as held,
       count(*) filter (where status = 'sold') as sold,
       count(*) filter (where status = 'blocked' and not retired) as blocked
  from seats
 where event_id = $1::uuid
