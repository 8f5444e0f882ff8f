-- Tickets as an operator sees them: holder, state, times and latest reservation.
-- Params   $1 room_id uuid, $2 ticket numbers bigint[]
-- Returns  a row for each of the tickets that the ledger has
select ticket.number, ticket.class, ticket.state, ticket.away, ticket.name, users.email,
       ticket.joined_at as "joinedAt", ticket.admitted_at as "admittedAt", ticket.entered_at as "enteredAt",
       ticket.deadline, ticket.extended, reservation.id as "reservationId", reservation.status as "reservationStatus",
       reservation.amount, reservation.currency
  from queue_entries as ticket
  left join users on users.id = ticket.user_id
  left join lateral (
    select id, status, amount, currency
      from reservations
     where room_id = ticket.room_id and ticket_number = ticket.number
     order by created_at desc
     limit 1
  ) as reservation on true
 where ticket.room_id = $1::uuid and ticket.number = any($2::bigint[])
