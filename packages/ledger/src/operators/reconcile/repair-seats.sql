-- Make seats agree with the reservations that have, or no longer have, a right to them.
-- Params   $1 let_go uuid[]: held seats of reservations that are over, $2 taken_back uuid[]: free seats that are reserved
--          or bought, and $3 reservation_ids uuid[]: by which reservation
-- Returns  a row for each seat that was changed
-- Locks    nothing that others wait for: the caller holds the seat map's lock
with freed as (
  update seats
     set status = 'available', reservation_id = null, held_until = null
   where id = any ($1::uuid[]) and status = 'held'
  returning id
), restored as (
  update seats
     set status = case reservations.status when 'PAID' then 'sold' else 'held' end,
         reservation_id = reservations.id,
         held_until = case reservations.status when 'PAID' then null else reservations.expires_at end
    from unnest($2::uuid[], $3::uuid[]) as wanted (seat_id, reservation_id)
    join reservations on reservations.id = wanted.reservation_id
   where seats.id = wanted.seat_id and seats.status = 'available'
  returning seats.id
)
select id from freed
union all
select id from restored
