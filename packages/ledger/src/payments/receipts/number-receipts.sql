-- Give the next numbers of an organization to purchases without a receipt and to refunds without a credit note, in the
-- order in which they happened, with everything that the papers say.
-- Params   $1 organization_id uuid, $2 max int
-- Returns  a row for each receipt written: number
-- Locks    the purchases; the caller has locked the organization in a statement before, so that this one sees its number
with due as (
  select purchases.id, purchases.reservation_id, null::uuid as refund_id, 'receipt' as kind, purchases.captured as amount,
         purchases.captured, purchases.credited, purchases.currency, purchases.provider, purchases.paid_at as happened_at
    from purchases
    join reservations on reservations.id = purchases.reservation_id
    join events on events.id = reservations.event_id
   where events.organization_id = $1::uuid and purchases.paid_at is not null and purchases.receipt_number is null
  union all
  select purchases.id, purchases.reservation_id, refunds.id, 'credit_note', refunds.amount,
         purchases.captured, purchases.credited, purchases.currency, purchases.provider,
         greatest(refunds.done_at, purchases.paid_at)
    from purchases
    join refunds on refunds.purchase_id = purchases.id
    join reservations on reservations.id = purchases.reservation_id
    join events on events.id = reservations.event_id
   where events.organization_id = $1::uuid and purchases.paid_at is not null
     and purchases.refunded > purchases.credited
     and refunds.state = 'DONE' and refunds.amount > 0 and refunds.credit_number is null
), numbered as (
  -- A receipt comes before the credit note of the same purchase, also when both wait.
  select due.*, organizations.receipts_issued
                + row_number() over (order by due.happened_at, due.kind desc, due.id, due.refund_id) as number,
         -- On earlier credit notes of the purchase, in this batch and before.
         due.credited + coalesce(sum(case due.kind when 'credit_note' then due.amount else 0 end) over (
           partition by due.id order by due.happened_at, due.kind desc, due.refund_id
           rows between unbounded preceding and 1 preceding), 0) as credited_before,
         jsonb_build_object('name', organizations.name, 'address', organizations.address,
                            'taxNumber', organizations.tax_number) as seller
    from due
    join organizations on organizations.id = $1::uuid
   order by number
   limit $2::int
), taxed as (
  -- The tax of all credit notes so far is that of all that went back so far, so that taxes add up whatever was rounded.
  select numbered.*, reservations.event_id, reservations.buyer_id, reservations.lines as order_lines,
         kind = 'credit_note' and credited_before = 0 and numbered.amount = captured as is_whole,
         case when kind = 'receipt' then reservations.tax
              else (round((credited_before + numbered.amount) * reservations.tax / greatest(reservations.amount, 1)::numeric)
                    - round(credited_before * reservations.tax / greatest(reservations.amount, 1)::numeric))::bigint
         end as tax
    from numbered
    join reservations on reservations.id = numbered.reservation_id
), written as (
  insert into receipts (organization_id, number, purchase_id, kind, amount, currency, seller, issued_at, refund_id,
                        lines, tax, fees, buyer, event_id, event, provider)
  select $1::uuid, number, taxed.id, kind, taxed.amount, taxed.currency, seller, now(), refund_id,
         case when kind = 'receipt' then order_lines
              when is_whole then negated.lines
              else json_build_array(json_build_object('kind', 'refund', 'name', 'Partial refund',
                                                      'amount', -taxed.amount, 'tax', -taxed.tax)) end,
         taxed.tax, case when kind = 'receipt' or is_whole then negated.fees else 0 end,
         jsonb_build_object('name', coalesce(addressees.name, users.name),
                            'email', coalesce(addressees.email, users.email), 'language', addressees.language),
         events.id,
         jsonb_build_object('name', events.name, 'location', events.location, 'startsAt', events.starts_at,
                            'timeZone', events.time_zone),
         -- At the door the way of payment says more.
         coalesce(door_sales.method, taxed.provider)
    from taxed
    join events on events.id = taxed.event_id
    left join door_sales on door_sales.purchase_id = taxed.id
    left join addressees on addressees.reservation_id = taxed.reservation_id
    left join users on users.id = taxed.buyer_id
   cross join lateral (
      select coalesce(json_agg(line::jsonb
                               || jsonb_build_object('amount', -(line ->> 'amount')::bigint,
                                                     'tax', -(line ->> 'tax')::bigint)
                               || case when line ->> 'unitPrice' is null then '{}'::jsonb
                                       else jsonb_build_object('unitPrice', -(line ->> 'unitPrice')::bigint) end
                               order by position), '[]') as lines,
             coalesce(sum((line ->> 'amount')::bigint) filter (where line ->> 'kind' = 'fee'), 0) as fees
        from json_array_elements(order_lines) with ordinality as listed (line, position)
    ) as negated
  returning number
), to_ask as (
  -- Sales through a provider that charges: it is asked for its charge later.
  insert into provider_charges (purchase_id)
  select id from numbered where kind = 'receipt' and amount > 0 and provider in ('stripe', 'mollie')
      on conflict (purchase_id) do nothing
), counted as (
  update organizations
     set receipts_issued = receipts_issued + (select count(*) from numbered)
   where id = $1::uuid
), noted as (
  update refunds
     set credit_number = numbered.number
    from numbered
   where refunds.id = numbered.refund_id
), marked as (
  update purchases
     set receipt_number = coalesce(purchases.receipt_number, changed.receipt_number),
         credited = purchases.credited + changed.credited
    from (select id, max(number) filter (where kind = 'receipt') as receipt_number,
                 coalesce(sum(amount) filter (where kind = 'credit_note'), 0) as credited
            from numbered
           group by id) as changed
   where purchases.id = changed.id
)
select number from written order by number
