-- Paperwork: what receipts and credit notes say, and what payment providers charge.

alter table receipts
  -- What the paper says, as it was at issue. The lines of a credit note are negative; `amount`, `tax` and `fees` of both
  -- kinds are not, because `kind` says which way the money went.
  add column lines    json not null default '[]',
  add column tax      bigint not null default 0 check (tax >= 0),
  -- The part of the amount that is in lines of fees.
  add column fees     bigint not null default 0 check (fees >= 0),
  -- {name, email, language}, each may be null: personal data that the law makes the seller keep.
  add column buyer    jsonb not null default '{}',
  add column event_id uuid references events (id),
  -- {name, location, startsAt, timeZone}
  add column event    jsonb not null default '{}',
  add column provider text not null default '';

-- Papers that were numbered before had nothing but their amount: until now every refund was a whole one.
update receipts
   set lines = case receipts.kind when 'receipt' then reservations.lines else negated.lines end,
       tax = reservations.tax,
       fees = negated.fees,
       buyer = jsonb_build_object('name', coalesce(addressees.name, users.name),
                                  'email', coalesce(addressees.email, users.email), 'language', addressees.language),
       event_id = events.id,
       event = jsonb_build_object('name', events.name, 'location', events.location, 'startsAt', events.starts_at,
                                  'timeZone', events.time_zone),
       provider = purchases.provider
  from purchases
  join reservations on reservations.id = purchases.reservation_id
  join events on events.id = reservations.event_id
  left join addressees on addressees.reservation_id = reservations.id
  left join users on users.id = reservations.buyer_id
 cross join lateral (
    select coalesce(json_agg(line::jsonb
                             || jsonb_build_object('amount', -(line ->> 'amount')::bigint, 'tax', -(line ->> 'tax')::bigint)
                             || case when line ->> 'unitPrice' is null then '{}'::jsonb
                                     else jsonb_build_object('unitPrice', -(line ->> 'unitPrice')::bigint) end
                             order by position), '[]') as lines,
           coalesce(sum((line ->> 'amount')::bigint) filter (where line ->> 'kind' = 'fee'), 0) as fees
      from json_array_elements(reservations.lines) with ordinality as listed (line, position)
  ) as negated
 where purchases.id = receipts.purchase_id;

-- For settlements and the export of a period.
create index receipts_by_event on receipts (event_id, issued_at);
create index receipts_by_time on receipts (organization_id, issued_at);

-- What the provider keeps of a payment, where it says so. A sale through a provider that charges gets its row with its
-- receipt; amount and currency are null until the provider says them.
create table provider_charges (
  purchase_id uuid primary key references purchases (id),
  amount      bigint check (amount >= 0),
  -- The provider's own: its account may have another currency than the sale.
  currency    text check (currency ~ '^[A-Z]{3}$'),
  -- When a server last asked, so that servers take turns.
  asked_at    timestamptz not null default now(),
  tries       integer not null default 0,
  check ((amount is null) = (currency is null))
);
create index provider_charges_unknown on provider_charges (asked_at) where amount is null;
insert into provider_charges (purchase_id)
select purchase_id from receipts where kind = 'receipt' and amount > 0 and provider in ('stripe', 'mollie');
