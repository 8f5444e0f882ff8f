-- One currency for each event. A reservation may hold seats of several types and is paid in one currency: so far a free
-- type could have another one than the priced ones, and which of them was charged depended on the seat that came first.
alter table events add column currency text not null default 'EUR' check (currency ~ '^[A-Z]{3}$');

update events
   set currency = first.currency
  from (select distinct on (event_id) event_id, currency
          from seat_types
         order by event_id, price = 0, position) as first
 where first.event_id = events.id and events.currency <> first.currency;

update seat_types
   set currency = events.currency
  from events
 where events.id = seat_types.event_id and seat_types.currency <> events.currency;

alter table events add constraint events_one_currency unique (id, currency);
alter table seat_types add constraint seat_types_currency_of_event
  foreign key (event_id, currency) references events (id, currency) on update cascade;
