-- A page of the receipts and credit notes of an organization in a period, for its bookkeeping. Money that went back is
-- below 0.
-- Params   $1 organization_id uuid, $2 from timestamptz or null, $3 until timestamptz or null,
--          $4 number of the last one of the page before bigint or null, $5 result_max int
-- Returns  a row for each, by number
select receipts.number, receipts.issued_at as date, receipts.kind, receipts.event ->> 'name' as event,
       sign * (receipts.amount - receipts.tax) as net, sign * receipts.tax as tax, sign * receipts.amount as gross,
       receipts.currency
  from receipts
 cross join lateral (select case receipts.kind when 'receipt' then 1 else -1 end as sign) as way
 where receipts.organization_id = $1::uuid
   and ($2::timestamptz is null or receipts.issued_at >= $2::timestamptz)
   and ($3::timestamptz is null or receipts.issued_at < $3::timestamptz)
   and ($4::bigint is null or receipts.number > $4::bigint)
 order by receipts.number
 limit $5::int
