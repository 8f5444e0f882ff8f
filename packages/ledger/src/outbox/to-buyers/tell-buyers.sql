-- Tell every buyer of an event of a mail that its organiser wrote.
-- Params   $1 mail_id uuid, $2 event_id uuid
-- Returns  a row for each order
insert into outbox (aggregatetype, aggregateid, type, payload)
select 'purchase', id, 'event.mailed', json_build_object('mailId', $1::uuid, 'reservationId', id, 'eventId', $2::uuid)
  from reservations
 where event_id = $2::uuid and status = 'PAID'
   and (exists (select from users where users.id = reservations.buyer_id)
        or exists (select from addressees where addressees.reservation_id = reservations.id))
 order by id
returning position
