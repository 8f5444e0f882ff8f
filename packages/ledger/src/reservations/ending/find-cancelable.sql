-- Pending reservations that may be cancelled: no payment for them is under way.
-- Params   $1 reservation_ids uuid[], and of $2 room_id uuid: $3 ticket_numbers bigint[]
-- Returns  id
select id
  from reservations
 where status = 'PENDING_PAYMENT'
   and (id = any ($1::uuid[]) or (room_id = $2::uuid and ticket_number = any ($3::bigint[])))
   and not exists (
         select from purchases
          where reservation_id = reservations.id and purchases.status in ('PROCESSING', 'PAID', 'PARTLY_REFUNDED', 'STUCK'))
