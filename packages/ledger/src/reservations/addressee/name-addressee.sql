-- Write down who a reservation is for, while mail about it may still be sent: it is pending and not overdue, or paid.
-- Params   $1 reservation_id uuid, $2 email text, $3 name text or null, $4 language text or null; null keeps what was named before
-- Returns  email, name, language; no row when the reservation is over
-- Locks    the row of the addressee
insert into addressees (reservation_id, email, name, language)
select id, $2, $3, $4
  from reservations
 where id = $1::uuid and (status = 'PAID' or (status = 'PENDING_PAYMENT' and expires_at > clock_timestamp()))
    on conflict (reservation_id) do update
   set email = excluded.email, name = coalesce(excluded.name, addressees.name),
       language = coalesce(excluded.language, addressees.language), updated_at = clock_timestamp()
returning email, name, language
