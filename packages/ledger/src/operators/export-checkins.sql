-- A page of the e-tickets that were used at the door, for an export.
-- Params   $1 event_id uuid, $2 id of the last e-ticket of the page before uuid or null, $3 result_max int
-- Returns  a row for each e-ticket that was used, by id
select etickets.id, etickets.checked_in_at, door.name as checked_in_by, 
       case when etickets.holder_id is null then coalesce(ticket_answers.name, buyer.name)
            else coalesce(owner.name, taken.email) end as holder, seat_types.name as seat_type,
       seats.row_label as row, seats.seat_number as seat
  from etickets
  join reservations on reservations.id = etickets.reservation_id
  join seats on seats.id = etickets.seat_id
  join seat_types on seat_types.id = seats.seat_type_id
  left join ticket_answers on ticket_answers.reservation_id = etickets.reservation_id
                          and ticket_answers.seat_id = etickets.seat_id
  left join users as buyer on buyer.id = reservations.buyer_id
  left join users as door on door.id = etickets.checked_in_by
  left join users as owner on owner.id = etickets.holder_id
  left join lateral (
         select email from transfers
          where eticket_id = etickets.id and status = 'accepted'
          order by ended_at desc
          limit 1
       ) as taken on etickets.holder_id is not null
 where etickets.event_id = $1::uuid and etickets.checked_in_at is not null and ($2::uuid is null or etickets.id > $2::uuid)
 order by etickets.id
 limit $3
