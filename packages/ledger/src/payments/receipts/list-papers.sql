-- The purchases that sold something, of some reservations, with their receipts and credit notes.
-- Params   $1 reservation_ids uuid[]
-- Returns  a row for each paper by number, and one with nulls for a purchase that has none yet
select purchases.reservation_id as "reservationId", purchases.id as "purchaseId", receipts.number, receipts.kind
  from purchases
  left join receipts on receipts.purchase_id = purchases.id
 where purchases.reservation_id = any ($1::uuid[]) and purchases.paid_at is not null
 order by receipts.number
