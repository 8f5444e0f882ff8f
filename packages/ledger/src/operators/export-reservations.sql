-- A page of an event's reservations, for an export.
-- Params   $1 event_id uuid, $2 id of the last one of the page before uuid or null, $3 result_max int
-- Returns  a row for each, by id; answers by question, or null
select reservations.id, reservations.status, users.email, coalesce(users.name, ticket.name) as name,
       (select count(*)::int from reservation_items where reservation_id = reservations.id) as seats,
       reservations.amount, reservations.currency, reservations.created_at, reservations.expires_at, reservations.paid_at,
       order_answers.terms_url, order_answers.terms_accepted_at,
       coalesce(order_answers.marketing, false) as marketing, order_answers.marketing_at, order_answers.marketing_words,
       order_answers.answers
  from reservations
  left join users on users.id = reservations.buyer_id
  left join order_answers on order_answers.reservation_id = reservations.id
  left join queue_entries as ticket on ticket.room_id = reservations.room_id and ticket.number = reservations.ticket_number
 where reservations.event_id = $1::uuid and ($2::uuid is null or reservations.id > $2::uuid)
 order by reservations.id
 limit $3
