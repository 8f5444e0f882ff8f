-- E-tickets with everything that is printed on them, in the order of the plan.
-- Params   $1 ids uuid[] or null, $2 reservation_ids uuid[] or null, $3 buyer_id uuid or null: one of them is given,
--          $4 result_max int
-- Returns  a row for each; `isVoid` also while the money is on its way back
select etickets.id, etickets.reservation_id as "reservationId", etickets.event_id as "eventId",
       etickets.seat_id as "seatId", reservations.buyer_id as "buyerId", events.organizer_id as "organizerId",
       events.name as "eventName", events.location, events.time_zone as "timeZone", events.starts_at as "startsAt",
       events.ends_at as "endsAt",
       seat_types.name as "seatTypeName", seats.row_label as "row", seats.seat_number as "number",
       etickets.issued_at as "issuedAt", etickets.checked_in_at as "checkedInAt",
       etickets.reservation_status <> 'PAID' or (
         exists (select from purchases where reservation_id = etickets.reservation_id and status = 'REFUNDING')
         and not exists (select from purchases where reservation_id = etickets.reservation_id and status = 'PAID')
       ) as "isVoid"
  from etickets
  join reservations on reservations.id = etickets.reservation_id
  join events on events.id = etickets.event_id
  join seats on seats.id = etickets.seat_id
  join seat_types on seat_types.id = seats.seat_type_id
 where etickets.id = any ($1::uuid[]) or etickets.reservation_id = any ($2::uuid[]) or reservations.buyer_id = $3::uuid
 order by etickets.issued_at desc, etickets.reservation_id, seats.ordinal
 limit $4
