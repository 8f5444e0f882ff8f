-- Organizations whose purchases wait for a receipt or a credit note.
-- Params   $1 max int
-- Returns  id
select distinct events.organization_id as id
  from purchases
  join reservations on reservations.id = purchases.reservation_id
  join events on events.id = reservations.event_id
 where purchases.paid_at is not null
   and (purchases.receipt_number is null or purchases.refunded > purchases.credited)
 limit $1::int
