-- One row for each event: whoever changes seats of the event locks it first. So all changes happen one after the other,
-- each has a version, the counts are exact, and no two claims can wait for each other.
create table seat_maps (
  event_id  uuid primary key references events (id),
  version   bigint not null default 1,
  available integer not null check (available >= 0),
  held      integer not null check (held >= 0),
  sold      integer not null check (sold >= 0),
  blocked   integer not null check (blocked >= 0),
  -- {seat type: ordinal}: no unnumbered seat of that type before that one is free. Where to look for the next free one
  -- without an index over what is free, which every claimed seat would have to be put into and taken out of.
  free_from jsonb not null default '{}'
);

-- The sum of revisions was the version so far: nobody who knows an older one may see it come back.
insert into seat_maps (event_id, version, available, held, sold, blocked)
select events.id, coalesce(sum(revision), 0) + 1,
       count(*) filter (where status = 'available'), count(*) filter (where status = 'held'),
       count(*) filter (where status = 'sold'), count(*) filter (where status = 'blocked' and not retired)
  from events
  left join seats on seats.event_id = events.id
 group by events.id;

drop trigger seats_count_change on seats;
drop function count_seat_change();
alter table seats drop column revision;

-- What each version changed, for those who have the version before. One row for each transaction and not a version for
-- each seat: that would put every claimed seat into one more index.
create table seat_changes (
  event_id uuid not null,
  version  bigint not null,
  at       timestamptz not null,
  -- [[seat id, status], …]; null when the plan itself was changed and has to be read anew.
  changes  jsonb,
  -- Tickets that reserved something in it: a server that follows knows who cannot be told off-hand any more.
  tickets  bigint[] not null default '{}',
  primary key (event_id, version)
);

create index seat_changes_by_age on seat_changes (at);

-- No index knows what state a seat is in, so that a change of it can stay on its page and touch none of them; the pages
-- of a new plan leave room for that.
alter table seats set (fillfactor = 50);

alter table reservations
  add column room_id       uuid,
  add column ticket_number bigint,
  -- Of the pass the seats were claimed with. The highest one of a ticket is what older passes are refused by.
  add column fence         bigint,
  -- Whether starting to pay has already given it more time.
  add column extended      boolean not null default false,
  add check ((room_id is null) = (ticket_number is null)),
  add check ((room_id is null) = (fence is null));

create index reservations_by_ticket on reservations (room_id, ticket_number, fence);

-- One reservation at a time for each ticket.
create unique index reservations_one_pending on reservations (room_id, ticket_number)
  where status = 'PENDING_PAYMENT';

create index reservations_overdue on reservations (expires_at, event_id) where status = 'PENDING_PAYMENT';

alter table purchases
  -- The operation that waits for this payment's end; its answer is stored in the transaction that ends it.
  add column actor_id      uuid,
  add column operation_key text,
  add column reason        text,
  drop constraint purchases_status_check,
  -- REFUNDING: the money is captured and on its way back; nobody has to decide anything any more.
  add constraint purchases_status_check
    check (status in ('PROCESSING', 'PAID', 'DECLINED', 'REFUNDING', 'REFUNDED', 'STUCK')),
  add foreign key (actor_id, operation_key) references operations (actor_id, key);

create index purchases_undecided on purchases (updated_at) where status in ('PROCESSING', 'REFUNDING', 'STUCK');
create index purchases_by_reservation on purchases (reservation_id);
