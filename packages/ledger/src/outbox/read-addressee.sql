-- The addressee of mail about a reservation, and the facts for it.
-- Params   $1 reservation_id uuid
-- Returns  one row, or none when the buyer named no address and has no account (any more); name '' and language null when
--          they are not known, hasAccount: the buyer finds the reservation by signing in
select coalesce(addressees.email, users.email) as email, coalesce(addressees.name, users.name, '') as name,
       addressees.language, users.id is not null as "hasAccount", events.name as "eventName", events.location, events.time_zone as "timeZone",
       events.starts_at as "startsAt", reservations.amount, reservations.currency
  from reservations
  left join addressees on addressees.reservation_id = reservations.id
  left join users on users.id = reservations.buyer_id
  join events on events.id = reservations.event_id
 where reservations.id = $1 and coalesce(addressees.email, users.email) is not null
