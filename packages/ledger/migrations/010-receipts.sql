-- Receipts and credit notes, numbered without gaps for each organization.

-- Who sells. An event belongs to one; the house is there from the first start, and receipts name its data.
create table organizations (
  id              uuid primary key,
  name            text not null check (name <> ''),
  -- What a receipt says about the seller, beside the name.
  address         text not null default '',
  tax_number      text not null default '',
  -- The last number given. A batch of receipts locks this row and raises it in the transaction that writes them, so that
  -- a crash leaves neither a gap nor a number given twice.
  receipts_issued bigint not null default 0 check (receipts_issued >= 0),
  created_at      timestamptz not null default now()
);
insert into organizations (id, name) values ('00000000-0000-4000-8000-000000000001', 'The house');

alter table events
  add column organization_id uuid not null default '00000000-0000-4000-8000-000000000001' references organizations (id);

-- When the purchase sold its seats: money that went back without a sale gets no receipt.
alter table purchases
  add column paid_at        timestamptz,
  add column receipt_number bigint,
  -- How much of what was refunded is on credit notes.
  add column credited       bigint not null default 0,
  add check (credited between 0 and refunded),
  add check (receipt_number is null or paid_at is not null);
update purchases
   set paid_at = reservations.paid_at
  from reservations
 where reservations.id = purchases.reservation_id and purchases.status = 'PAID';
create index purchases_to_number on purchases (updated_at)
  where paid_at is not null and (receipt_number is null or refunded > credited);

create table receipts (
  organization_id uuid not null references organizations (id),
  number          bigint not null check (number > 0),
  purchase_id     uuid not null references purchases (id),
  kind            text not null check (kind in ('receipt', 'credit_note')),
  amount          bigint not null check (amount >= 0),
  currency        text not null,
  -- The seller as it was then: a receipt never changes.
  seller          jsonb not null,
  issued_at       timestamptz not null,
  primary key (organization_id, number)
);
create unique index receipts_one_of_a_purchase on receipts (purchase_id) where kind = 'receipt';
create index receipts_by_purchase on receipts (purchase_id, number);
