-- Which of some events have nothing left but hidden seats: no other seat is available, and none is held but for the returns list.
-- Params   $1 event_ids uuid[]
-- Returns  a row for each event: eventId, isGone
select events.id as "eventId",
       not exists (
         select from seats
           join seat_types on seat_types.id = seats.seat_type_id
          where seats.event_id = events.id and not seat_types.hidden and not seats.retired
            and (seats.status = 'available'
                 or (seats.status = 'held'
                     and not exists (select from offers where offers.reservation_id = seats.reservation_id)))
       ) as "isGone"
  from unnest($1::uuid[]) as wanted (id)
  join events on events.id = wanted.id
