-- Reservations of event $1, the newest first, a page at a time.
-- Params   $1 event_id uuid, $2 status text or null for all, $3 result_max int,
--          then the last one of the page before, or nulls: $4 created_at, $5 id uuid,
--          then what is looked for, or nulls: $6 id uuid (of a reservation, its buyer, its payment or an e-ticket),
--          $7 text (part of a name or an address), $8 seat text: row and number without anything between
-- Returns  id, at (created_at as text, to the microsecond), email and name of who it is for, else of the account, else null,
--          purchaseId and purchaseStatus: of the payment that was tried last, or nulls; refundedSeatIds
select reservations.id, reservations.created_at::text as at,
       coalesce(addressees.email, users.email) as email,
       coalesce(addressees.name, users.name, queue_entries.name) as name,
       paid.id as "purchaseId", paid.status as "purchaseStatus",
       (select coalesce(array_agg(seat_id), '{}')
          from reservation_items
         where reservation_id = reservations.id and refund_id is not null) as "refundedSeatIds"
  from reservations
  left join users on users.id = reservations.buyer_id
  left join addressees on addressees.reservation_id = reservations.id
  left join queue_entries on queue_entries.room_id = reservations.room_id
                         and queue_entries.number = reservations.ticket_number
  left join lateral (select id, status
                       from purchases
                      where reservation_id = reservations.id
                      order by created_at desc, id
                      limit 1) as paid on true
 where reservations.event_id = $1::uuid
   and ($2::text is null or reservations.status = $2)
   and ($5::uuid is null or (reservations.created_at, reservations.id) < ($4::timestamptz, $5::uuid))
   and ($6::uuid is null
        or $6 in (reservations.id, reservations.buyer_id)
        or exists (select from purchases where id = $6 and reservation_id = reservations.id)
        or exists (select from etickets where id = $6 and reservation_id = reservations.id))
   and ($7::text is null
        or position(lower($7) in lower(users.email)) > 0
        or position(lower($7) in lower(addressees.email)) > 0
        or position(nullif(fold_text($7), '') in fold_text(coalesce(users.name, queue_entries.name))) > 0
        or position(nullif(fold_text($7), '') in fold_text(addressees.name)) > 0
        or reservations.id in (select reservation_items.reservation_id
                                 from seats
                                 join reservation_items on reservation_items.seat_id = seats.id
                                where seats.event_id = $1 and upper(row_label || seat_number) = upper($8::text)))
 order by reservations.created_at desc, reservations.id desc
 limit $3
