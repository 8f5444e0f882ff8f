-- The state of the sale of event $1, by seat type.
-- Params   $1 event_id uuid
-- Returns  a row for each seat type in the order of the plan: id, name, currency, price, then how many of its seats are
--          available, held, sold and blocked (those off the plan are none), and revenue: what was paid for those sold
select seat_types.id, seat_types.name, seat_types.currency, seat_types.price,
       counted.available, counted.held, counted.sold, counted.blocked, counted.revenue
  from seat_types
 cross join lateral (
         select count(*) filter (where seats.status = 'available')::int as available,
                count(*) filter (where seats.status = 'held')::int as held,
                count(*) filter (where seats.status = 'sold')::int as sold,
                count(*) filter (where seats.status = 'blocked' and not retired)::int as blocked,
                coalesce(sum(reservation_items.price - reservation_items.discount + reservation_items.fees) filter (where seats.status = 'sold'), 0)::bigint as revenue
           from seats
           left join reservation_items on reservation_items.reservation_id = seats.reservation_id
                                      and reservation_items.seat_id = seats.id
          where seats.event_id = $1::uuid and seats.seat_type_id = seat_types.id
       ) as counted
 where seat_types.event_id = $1::uuid
 order by seat_types.position
