-- Sales at the door, short codes of e-tickets, and mail that is sent again.

-- What the till says: which sale was paid how, and who took the money. A book of its own beside the purchases, so that the
-- two can be compared.
create table door_sales (
  purchase_id uuid primary key references purchases (id),
  event_id    uuid not null references events (id),
  -- No foreign key: who sold stays known, whatever becomes of the account.
  seller_id   uuid not null,
  method      text not null check (method in ('cash', 'terminal', 'complimentary')),
  amount      bigint not null check (amount >= 0),
  currency    text not null,
  seats       integer not null check (seats > 0),
  sold_at     timestamptz not null,
  check (method <> 'complimentary' or amount = 0)
);
create index door_sales_by_event on door_sales (event_id, sold_at);

-- Money that was given back by hand, as cash or at the terminal.
create table door_payouts (
  id          bigint generated always as identity primary key,
  purchase_id uuid not null references door_sales (purchase_id),
  amount      bigint not null check (amount > 0),
  -- Null when no operator asked for the refund.
  paid_by     uuid,
  paid_at     timestamptz not null
);
create index door_payouts_by_purchase on door_payouts (purchase_id);

-- How often the mail with the e-tickets of a purchase was asked for again.
create table ticket_resends (
  id          bigint generated always as identity primary key,
  purchase_id uuid not null references purchases (id),
  asked_by    uuid not null,
  asked_at    timestamptz not null default clock_timestamp()
);
create index ticket_resends_by_purchase on ticket_resends (purchase_id, asked_at);

-- Eight symbols of Crockford's alphabet, as readShortCode in the domain knows them. The random bytes of a UUID are those of
-- a strong generator; the seventh and the ninth are not random as a whole.
create function new_short_code() returns text language sql volatile as $$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', get_byte(random.bytes, place) % 32 + 1, 1), '')
    from (select uuid_send(gen_random_uuid()) as bytes) as random,
         unnest(array[0, 1, 2, 3, 4, 5, 9, 10]) as place
$$;

alter table etickets add column short_code text;
update etickets set short_code = new_short_code();
-- Equal ones in one event are drawn anew until there are none: of a million e-tickets about one is.
do $$
begin
  loop
    update etickets
       set short_code = new_short_code()
     where id in (select id
                    from (select id, row_number() over (partition by event_id, short_code order by id) as nth
                            from etickets) as counted
                   where nth > 1);
    exit when not found;
  end loop;
end
$$;
alter table etickets
  alter column short_code set not null,
  alter column short_code set default new_short_code(),
  add constraint etickets_short_code_form check (short_code ~ '^[0-9A-HJKMNP-TV-Z]{8}$');
-- Led by the code, because the event may not be known.
create unique index etickets_short_code on etickets (short_code, event_id);
