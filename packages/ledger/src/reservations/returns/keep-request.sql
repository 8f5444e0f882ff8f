-- Put an address on the returns list of an event, not confirmed yet. One that is on it keeps its place: the wish of an
-- unconfirmed one is replaced, a confirmed one stays as it is, because a typed address alone proves nothing.
-- Params   $1 id uuid, $2 event_id uuid, $3 email text, $4 email_key text, $5 language text or null,
--          $6 seat_type_id uuid or null, $7 quantity int
-- Returns  id, status of the entry that there is now
-- Locks    the entry
insert into return_requests as kept (id, event_id, email, email_key, language, seat_type_id, quantity)
values ($1::uuid, $2::uuid, $3, $4, $5, $6::uuid, $7::int)
on conflict (event_id, email_key) where status in ('unconfirmed', 'waiting', 'offered') do update
   set seat_type_id = case kept.status when 'unconfirmed' then excluded.seat_type_id else kept.seat_type_id end,
       quantity = case kept.status when 'unconfirmed' then excluded.quantity else kept.quantity end,
       language = case kept.status when 'unconfirmed' then excluded.language else kept.language end
returning id, status
