-- How much a settlement does not know yet.
-- Params   $1 organization_id uuid or null, $2 event_id uuid or null, $3 providers that charge text[]
-- Returns  one row: sales and refunds that wait for their number, and sales with a charge that the provider has not told
select (count(*) filter (where purchases.receipt_number is null)
        + count(*) filter (where purchases.refunded > purchases.credited))::int as unnumbered,
       (count(*) filter (where provider_charges.amount is null and purchases.captured > 0
                           and purchases.provider = any ($3::text[])))::int as "chargesUnknown"
  from purchases
  join reservations on reservations.id = purchases.reservation_id
  join events on events.id = reservations.event_id
  left join provider_charges on provider_charges.purchase_id = purchases.id
 where purchases.paid_at is not null
   and ($1::uuid is null or events.organization_id = $1::uuid)
   and ($2::uuid is null or events.id = $2::uuid)
