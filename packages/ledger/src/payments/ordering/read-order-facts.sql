-- What the page of a payment provider says about a reservation.
-- Params   $1 reservation_id uuid
-- Returns  one row: lines as they are stored, eventName, email of who it is for, else of the account (null with neither),
--          stripeAccount of the organization that sells, or null
select reservations.lines, organizations.stripe_account as "stripeAccount", events.name as "eventName", coalesce(addressees.email, users.email) as email
  from reservations
  join events on events.id = reservations.event_id
  join organizations on organizations.id = events.organization_id
  left join users on users.id = reservations.buyer_id
  left join addressees on addressees.reservation_id = reservations.id
 where reservations.id = $1::uuid
