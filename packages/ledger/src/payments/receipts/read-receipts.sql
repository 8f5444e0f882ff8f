-- The receipt of a purchase and its credit notes, in the order of their numbers.
-- Params   $1 purchase_id uuid
-- Returns  a row for each
select number, kind, amount, currency, lines, tax, seller, buyer, event, provider, issued_at as "issuedAt"
  from receipts
 where purchase_id = $1::uuid
 order by number
