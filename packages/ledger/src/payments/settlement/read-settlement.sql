-- What was taken, went back and was kept by providers, summed from receipts and credit notes: for each day, for each
-- event, and in all, each by currency; or as a table, a page at a time.
-- Params   $1 organization_id uuid or null, $2 event_id uuid or null, $3 from timestamptz or null,
--          $4 until timestamptz or null, $5 time_zone text: where days begin, $6 is_table boolean, $7 rows to skip int,
--          $8 result_max int
-- Returns  a row for each sum: the day or the event that it is of, both null for the whole; as a table, for each day of each
--          event
with booked as (
  select to_char(issued_at at time zone $5::text, 'YYYY-MM-DD') as day, event_id, event ->> 'name' as event, number,
         purchase_id, kind, currency, amount, tax, fees
    from receipts
   where ($1::uuid is null or organization_id = $1::uuid) and ($2::uuid is null or event_id = $2::uuid)
     and ($3::timestamptz is null or issued_at >= $3::timestamptz)
     and ($4::timestamptz is null or issued_at < $4::timestamptz)
), moved as (
  select day, event_id, event, number, currency, kind, amount, tax, fees, 0::bigint as charged from booked
  union all
  -- A charge counts on the day of its sale, in the provider's currency.
  select day, event_id, event, number, provider_charges.currency, 'charge', 0, 0, 0, provider_charges.amount
    from booked
    join provider_charges on provider_charges.purchase_id = booked.purchase_id
   where booked.kind = 'receipt' and provider_charges.amount is not null
)
select day, event_id as "eventId",
       case when grouping(event_id) = 0 then (array_agg(event order by number desc))[1] end as event, currency,
       (count(*) filter (where kind = 'receipt'))::int as receipts,
       (count(*) filter (where kind = 'credit_note'))::int as "creditNotes",
       coalesce(sum(amount) filter (where kind = 'receipt'), 0)::bigint as gross,
       coalesce(sum(fees) filter (where kind = 'receipt'), 0)::bigint as fees,
       coalesce(sum(tax) filter (where kind = 'receipt'), 0)::bigint as tax,
       coalesce(sum(amount) filter (where kind = 'credit_note'), 0)::bigint as refunds,
       coalesce(sum(tax) filter (where kind = 'credit_note'), 0)::bigint as "refundedTax",
       sum(charged)::bigint as charges
  from moved
 group by grouping sets ((day, event_id, currency), (day, currency), (event_id, currency), (currency))
having (grouping(day) = 0 and grouping(event_id) = 0) = $6::boolean
 order by day nulls last, event nulls last, event_id, currency
offset $7::int
 limit $8::int
