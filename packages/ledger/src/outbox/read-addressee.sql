-- The addressee of mail about a reservation, and the facts for it.
-- Params   $1 reservation_id uuid
-- Returns  one row, or none when the buyer has no account (any more)
select users.email, users.name, events.name as "eventName", events.location, events.time_zone as "timeZone",
       events.starts_at as "startsAt", reservations.amount, reservations.currency
  from reservations
  join users on users.id = reservations.buyer_id
  join events on events.id = reservations.event_id
 where reservations.id = $1
