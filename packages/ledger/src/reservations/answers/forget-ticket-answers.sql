-- Delete what was said about the tickets of reservations that ended unpaid, unless a payment for them is undecided.
-- Params   $1 reservation_ids uuid[]
-- Returns  nothing
-- Holds    a statement of its own after the one that ends them: it sees what was written while that one waited
delete from ticket_answers
 using reservations
 where ticket_answers.reservation_id = any ($1::uuid[]) and reservations.id = ticket_answers.reservation_id
   and reservations.status in ('CANCELED', 'EXPIRED')
   and not exists (select from purchases where reservation_id = reservations.id and status in ('PROCESSING', 'STUCK'))
