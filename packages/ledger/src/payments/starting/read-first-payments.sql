-- Which of some payments are the first of their key, while no other payment pays or has paid for the reservation.
-- Params   one element for each payment: $1 reservation_ids uuid[], $2 actor_ids uuid[], $3 keys text[]
-- Returns  place of each that is, counted from 1
select payment.place
  from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as payment (reservation_id, actor_id, key, place)
 where not exists (select from operations where actor_id = payment.actor_id and key = payment.key)
   and not exists (
         select from purchases
          where reservation_id = payment.reservation_id and status in ('PROCESSING', 'PAID', 'STUCK'))
