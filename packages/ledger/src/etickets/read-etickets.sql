-- E-tickets with everything that is printed on them, in the order of the plan.
-- Params   $1 ids uuid[] or null, $2 reservation_ids uuid[] or null, $3 holder_id uuid or null: one of them is given,
--          $4 result_max int
-- Returns  a row for each; `holderId` is the buyer's until it was transferred; `isVoid` also while the money is on its way back
select etickets.id, etickets.reservation_id as "reservationId", etickets.event_id as "eventId",
       etickets.seat_id as "seatId", reservations.buyer_id as "buyerId",
       coalesce(etickets.holder_id, reservations.buyer_id) as "holderId", etickets.generation, events.organization_id as "organizationId",
       events.name as "eventName", events.location, events.time_zone as "timeZone", events.starts_at as "startsAt",
       events.ends_at as "endsAt",
       seat_types.name as "seatTypeName", seats.row_label as "row", seats.seat_number as "number",
       etickets.issued_at as "issuedAt", etickets.short_code as "shortCode", etickets.checked_in_at as "checkedInAt",
       etickets.reservation_status <> 'PAID' or etickets.voided_at is not null as "isVoid",
       -- The buyer does not know the name of who got the ticket by a transfer.
       case when etickets.holder_id is null then ticket_answers.name end as holder
  from etickets
  join reservations on reservations.id = etickets.reservation_id
  join events on events.id = etickets.event_id
  join seats on seats.id = etickets.seat_id
  join seat_types on seat_types.id = seats.seat_type_id
  left join ticket_answers on ticket_answers.reservation_id = etickets.reservation_id
                          and ticket_answers.seat_id = etickets.seat_id
 where etickets.id = any ($1::uuid[]) or etickets.reservation_id = any ($2::uuid[])
    or etickets.id = any (array(
         select id from etickets where holder_id = $3::uuid
          union all
         select bought.id
           from reservations as theirs
           join etickets as bought on bought.reservation_id = theirs.id
          where theirs.buyer_id = $3::uuid and bought.holder_id is null))
 order by etickets.issued_at desc, etickets.reservation_id, seats.ordinal
 limit $4
