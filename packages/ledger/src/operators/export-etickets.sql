-- A page of an event's e-tickets, for an export.
-- Params   $1 event_id uuid, $2 id of the last one of the page before uuid or null, $3 result_max int
-- Returns  a row for each, by id; email and name are the buyer's, holder and holder_email of whom has it now; answers by
--          question, or null
select etickets.id, etickets.reservation_id, case when etickets.voided_at is null then etickets.reservation_status else 'REFUNDED' end as status, users.email, users.name,
       seat_types.name as seat_type, seats.row_label as row, seats.seat_number as seat, item.price, item.price - item.discount + item.fees as paid, reservations.currency,
       etickets.issued_at, etickets.checked_in_at, 
       case when etickets.holder_id is null then users.email else coalesce(owner.email, taken.email) end as holder_email,
       case when etickets.holder_id is null then ticket_answers.name else owner.name end as holder,
       ticket_answers.answers
  from etickets
  join reservations on reservations.id = etickets.reservation_id
  join reservation_items as item on item.reservation_id = etickets.reservation_id and item.seat_id = etickets.seat_id
  join seats on seats.id = etickets.seat_id
  join seat_types on seat_types.id = seats.seat_type_id
  left join users on users.id = reservations.buyer_id
  left join ticket_answers on ticket_answers.reservation_id = etickets.reservation_id
                          and ticket_answers.seat_id = etickets.seat_id
  left join users as owner on owner.id = etickets.holder_id
  left join lateral (
         select email from transfers
          where eticket_id = etickets.id and status = 'accepted'
          order by ended_at desc
          limit 1
       ) as taken on etickets.holder_id is not null
 where etickets.event_id = $1::uuid and ($2::uuid is null or etickets.id > $2::uuid)
 order by etickets.id
 limit $3
