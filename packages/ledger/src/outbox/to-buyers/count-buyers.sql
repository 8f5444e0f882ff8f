-- How many orders a mail to all buyers of an event would go to, and how many mails they were sent in a day.
-- Params   $1 event_id uuid
-- Returns  one row
select (select count(*)::int
          from reservations
         where event_id = $1::uuid and status = 'PAID'
           and (exists (select from users where users.id = reservations.buyer_id)
                or exists (select from addressees where addressees.reservation_id = reservations.id))) as recipients,
       (select count(*)::int from buyer_mails where event_id = $1::uuid and created_at > now() - interval '1 day') as "sentToday"
