-- Make the e-tickets of reservations that were just paid for: one for each seat, with a short code of the column's own.
-- Params   $1 reservation_ids uuid[]
-- Returns  nothing; those that exist stay as they are
-- Holds    only a reservation that is PAID gets some: constraints refuse others
insert into etickets (reservation_id, seat_id, event_id, issued_at)
select reservation_items.reservation_id, reservation_items.seat_id, reservations.event_id, reservations.paid_at
  from reservation_items
  join reservations on reservations.id = reservation_items.reservation_id
 where reservation_items.reservation_id = any ($1::uuid[])
    on conflict (reservation_id, seat_id) do nothing
