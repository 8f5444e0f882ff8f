-- Codes: discounts, access to hidden seat types, and a presale.

alter table events
  -- From then on visitors with an access code join and reserve.
  add column presale_start_at timestamptz,
  add constraint events_presale check (presale_start_at < sales_start_at);

-- In no public answer; reserved only with a code that opens it.
alter table seat_types add column hidden boolean not null default false;

create table codes (
  id            uuid primary key,
  event_id      uuid not null references events (id),
  -- As the organiser wrote it: the name of the discount line.
  code          text not null check (code <> '' and length(code) <= 40),
  -- What makes two spellings the same code: upper case, without blanks and hyphens.
  code_key      text collate "C" not null check (code_key <> ''),
  -- At most one reduction. In thousandths of a percent, as a tax rate.
  percent       integer check (percent between 1 and 100000),
  amount_off    bigint check (amount_off > 0),
  price         bigint check (price >= 0),
  access        boolean not null default false,
  -- The seat types it is for; null for all.
  seat_type_ids uuid[],
  uses_max      integer check (uses_max > 0),
  per_buyer_max integer check (per_buyer_max > 0),
  valid_from    timestamptz,
  valid_until   timestamptz,
  ended_at      timestamptz,
  -- Reservations with this code that are pending or paid. Follows them by itself, see the triggers below; counting them
  -- for each claim would cost more the longer a code is used.
  uses          integer not null default 0,
  created_at    timestamptz not null default now(),
  constraint codes_one_text unique (event_id, code_key),
  check (num_nonnulls(percent, amount_off, price) <= 1),
  check (access or num_nonnulls(percent, amount_off, price) = 1),
  check (valid_until > valid_from),
  -- The database itself refuses one use too many, whatever the code above does wrong.
  constraint codes_not_used_up check (uses >= 0 and uses <= uses_max)
);

alter table reservations add column code_id uuid references codes (id);
create index reservations_by_code on reservations (code_id) where code_id is not null;

-- A transaction that changes reservations holds the lock of the seat map, so that no two wait here for each other.
create function count_code_use() returns trigger
  language plpgsql as $$
begin
  update codes set uses = uses + case when new.status in ('PENDING_PAYMENT', 'PAID') then 1 else -1 end
   where id = new.code_id;
  return null;
end
$$;
-- The conditions are part of the triggers: a reservation without a code calls no function.
create trigger reservations_use_code after insert on reservations
  for each row when (new.code_id is not null and new.status in ('PENDING_PAYMENT', 'PAID'))
  execute function count_code_use();
create trigger reservations_give_code_back after update of status on reservations
  for each row when (new.code_id is not null
                     and (new.status in ('PENDING_PAYMENT', 'PAID')) <> (old.status in ('PENDING_PAYMENT', 'PAID')))
  execute function count_code_use();
