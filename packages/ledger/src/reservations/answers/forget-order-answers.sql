-- Delete what was said about orders that ended unpaid, unless a payment for them is undecided.
-- Params   $1 reservation_ids uuid[]
-- Returns  nothing
-- Holds    as forget-ticket-answers.sql
delete from order_answers
 using reservations
 where order_answers.reservation_id = any ($1::uuid[]) and reservations.id = order_answers.reservation_id
   and reservations.status in ('CANCELED', 'EXPIRED')
   and not exists (select from purchases where reservation_id = reservations.id and status in ('PROCESSING', 'STUCK'))
