-- A page of the e-tickets of an event, as a device at the door keeps them.
-- Params   $1 event_id uuid, $2 id of the last one of the page before uuid or null, $3 result_max int
-- Returns  a row for each, by id; `holder` is the name on the ticket, else that of the account that has it
select etickets.id, etickets.generation, etickets.short_code as "shortCode",
       etickets.reservation_status <> 'PAID' or etickets.voided_at is not null as "isVoid",
       etickets.checked_in_at as "checkedInAt",
       seat_types.name as "seatTypeName", seats.row_label as "row", seats.seat_number as "number",
       case when etickets.holder_id is null then coalesce(ticket_answers.name, nullif(addressees.name, ''), users.name)
            else users.name end as holder
  from etickets
  join reservations on reservations.id = etickets.reservation_id
  join seats on seats.id = etickets.seat_id
  join seat_types on seat_types.id = seats.seat_type_id
  left join addressees on addressees.reservation_id = etickets.reservation_id
  left join users on users.id = coalesce(etickets.holder_id, reservations.buyer_id)
  left join ticket_answers on ticket_answers.reservation_id = etickets.reservation_id
                          and ticket_answers.seat_id = etickets.seat_id
 where etickets.event_id = $1::uuid and ($2::uuid is null or etickets.id > $2::uuid)
 order by etickets.id
 limit $3
