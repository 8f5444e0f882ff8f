-- What buyers said about orders.
-- Params   $1 reservation_ids uuid[]
-- Returns  a row for each of which something is known: reservationId, answers by question, termsUrl, termsAcceptedAt,
--          marketing, marketingAt, marketingWords, tickets as a JSON list of {seatId, name, answers} in the order of the plan
select order_answers.reservation_id as "reservationId", answers, terms_url as "termsUrl",
       terms_accepted_at as "termsAcceptedAt", marketing, marketing_at as "marketingAt",
       marketing_words as "marketingWords", listed.tickets
  from order_answers
 cross join lateral (
         select coalesce(json_agg(json_build_object('seatId', seats.id, 'name', name, 'answers', ticket_answers.answers)
                                  order by ordinal), '[]') as tickets
           from ticket_answers
           join seats on seats.id = ticket_answers.seat_id
          where ticket_answers.reservation_id = order_answers.reservation_id
       ) as listed
 where order_answers.reservation_id = any ($1::uuid[])
