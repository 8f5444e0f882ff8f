-- Prices in detail: tax and fees of an event, variants of a seat type, and what each reservation costs line by line.

alter table events
  -- In thousandths of a percent, so that sums are exact.
  add column tax_rate integer not null default 0 check (tax_rate between 0 and 100000),
  -- A list of {name, perTicket?, percent?}.
  add column fees jsonb not null default '[]';

-- A list of {id, name, price}, in the organiser's order.
alter table seat_types add column variants jsonb not null default '[]';

alter table reservations
  -- As computed when the seats were reserved; only ever read as a whole.
  add column lines json not null default '[]',
  add column tax bigint not null default 0;

-- What a seat's share of the discount and of the fees is: `price - discount + fees` is paid for it.
alter table reservation_items
  add column variant_id text,
  add column discount bigint not null default 0,
  add column fees bigint not null default 0,
  add constraint reservation_items_discount check (discount between 0 and price),
  add constraint reservation_items_fees check (fees >= 0);

-- Older reservations had nothing but their seats.
update reservations
   set lines = listed.lines
  from (select reservation_id,
               json_agg(json_build_object('kind', 'seat', 'name', name, 'quantity', quantity, 'unitPrice', price,
                                          'amount', quantity * price, 'tax', 0) order by position) as lines
          from (select reservation_id, name, position, reservation_items.price, count(*) as quantity
                  from reservation_items
                  join seat_types on seat_types.id = seat_type_id
                 where reservation_items.price > 0
                 group by reservation_id, seat_types.id, reservation_items.price) as equal
         group by reservation_id) as listed
 where reservations.id = listed.reservation_id;
