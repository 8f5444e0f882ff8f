-- Refunds by seat, the state of an event, and cancelling a whole event.

-- EVENTS ---------------------------------------------------------------------------------------------------------------

alter table events
  add column state         text not null default 'published' check (state in ('draft', 'published', 'cancelled')),
  add column cancelled_at  timestamptz,
  -- Until when buyers may refund themselves, because the date was moved.
  add column refunds_until timestamptz,
  add check ((state = 'cancelled') = (cancelled_at is not null));

-- Drafts and cancelled events are in no list: the indexes of the list leave them out.
drop index events_to_come;
drop index events_under_way;
drop index events_without_date;
create index events_to_come on events (listed_at, id) where starts_at is not null and state = 'published';
create index events_under_way on events using gist (tstzrange(starts_at, over_at))
  where starts_at is not null and state = 'published';
create index events_without_date on events (over_at) where starts_at is null and state = 'published';

-- REFUNDS --------------------------------------------------------------------------------------------------------------

alter table purchases
  -- Fees of refunded seats that stayed with the organiser.
  add column kept bigint not null default 0 check (kept >= 0),
  drop constraint purchases_status_check,
  drop constraint purchases_check,
  drop constraint purchases_check1,
  drop constraint purchases_check2,
  -- PARTLY_REFUNDED: the money of some seats is back, the others are still sold.
  add constraint purchases_status check (
    status in ('PROCESSING', 'PAID', 'DECLINED', 'PARTLY_REFUNDED', 'REFUNDING', 'REFUNDED', 'STUCK')),
  add constraint purchases_refunded check (refunded >= 0 and refunded + kept <= captured),
  add constraint purchases_paid check (status not in ('PAID', 'PARTLY_REFUNDED') or captured = amount),
  add constraint purchases_all_refunded check (status <> 'REFUNDED' or refunded + kept = captured);
drop index purchases_one_at_a_time;
create unique index purchases_one_at_a_time on purchases (reservation_id)
  where status in ('PROCESSING', 'PAID', 'PARTLY_REFUNDED', 'STUCK');

-- Money that goes back: decided here before the provider is asked, so that any server can finish it. The provider gets the
-- id as idempotency key and in its own records, together with `amount` in the currency of the purchase, and nothing else;
-- both never change, so that a retry sends the same.
create table refunds (
  id            uuid primary key,
  purchase_id   uuid not null references purchases (id),
  -- From 1, for each purchase.
  number        integer not null check (number > 0),
  -- Empty for money that came without a sale.
  seat_ids      uuid[] not null,
  amount        bigint not null check (amount >= 0),
  kept          bigint not null default 0 check (kept >= 0),
  state         text not null default 'PENDING' check (state in ('PENDING', 'DONE')),
  reason        text not null,
  -- Why the provider does not send it; an operator has to look.
  refused       text,
  -- The key of the call that asked for it: a retry finds this refund.
  actor_id      uuid,
  operation_key text,
  -- The number of its credit note.
  credit_number bigint,
  -- When the provider was last asked, so that servers take turns asking.
  asked_at      timestamptz,
  created_at    timestamptz not null default now(),
  done_at       timestamptz,
  unique (purchase_id, number),
  foreign key (actor_id, operation_key) references operations (actor_id, key) on update cascade,
  check ((state = 'DONE') = (done_at is not null)),
  check (credit_number is null or state = 'DONE')
);
create index refunds_pending on refunds (created_at) where state = 'PENDING';
create unique index refunds_by_operation on refunds (actor_id, operation_key);

alter table reservation_items
  -- Null while the seat is the buyer's.
  add column refund_id uuid references refunds (id),
  -- The money is back, and the seat is on sale again.
  add column returned  boolean not null default false,
  add check (not returned or refund_id is not null),
  drop column sold;
-- A seat that came back can be sold again, while the others of its reservation are still sold.
alter table reservation_items
  add column sold boolean not null generated always as (reservation_status = 'PAID' and not returned) stored;
create unique index reservation_items_sold_once on reservation_items (seat_id) where sold;
create index reservation_items_by_refund on reservation_items (refund_id) where refund_id is not null;

alter table etickets
  -- From the decision to refund its seat on.
  add column voided_at timestamptz;
drop index etickets_one_valid;
create unique index etickets_one_valid on etickets (seat_id) where reservation_status = 'PAID' and voided_at is null;

alter table receipts add column refund_id uuid unique references refunds (id);

-- What was refunded, or was being refunded, before.
insert into refunds (id, purchase_id, number, seat_ids, amount, state, reason, credit_number, created_at, done_at)
select gen_random_uuid(), purchases.id, 1,
       case when purchases.paid_at is null then '{}'
            else (select coalesce(array_agg(seat_id order by seat_id), '{}')
                    from reservation_items
                   where reservation_id = purchases.reservation_id)
       end,
       purchases.captured,
       case purchases.status when 'REFUNDED' then 'DONE' else 'PENDING' end,
       coalesce(purchases.reason, ''),
       (select max(number) from receipts where purchase_id = purchases.id and kind = 'credit_note'),
       purchases.updated_at,
       case purchases.status when 'REFUNDED' then purchases.updated_at end
  from purchases
 where purchases.status in ('REFUNDING', 'REFUNDED');
update reservation_items
   set refund_id = refunds.id, returned = refunds.state = 'DONE'
  from refunds
  join purchases on purchases.id = refunds.purchase_id
 where purchases.reservation_id = reservation_items.reservation_id
   and reservation_items.seat_id = any (refunds.seat_ids);
update etickets
   set voided_at = refunds.created_at
  from reservation_items
  join refunds on refunds.id = reservation_items.refund_id
 where reservation_items.reservation_id = etickets.reservation_id and reservation_items.seat_id = etickets.seat_id;
update receipts
   set refund_id = refunds.id
  from refunds
 where refunds.purchase_id = receipts.purchase_id and refunds.credit_number = receipts.number
   and receipts.kind = 'credit_note';

-- The sandbox's books: what it sent back, each under the key it was asked with.
alter table sandbox_payments
  drop constraint sandbox_payments_check1,
  add constraint sandbox_payments_refunded check (refunded between 0 and captured);
create table sandbox_refunds (
  key        text primary key,
  ref        text not null references sandbox_payments (ref),
  amount     bigint not null check (amount > 0),
  created_at timestamptz not null default now()
);

-- CANCELLED EVENTS -----------------------------------------------------------------------------------------------------

-- A whole event that is being cancelled: any server continues it, one at a time.
create table cancellations (
  event_id     uuid primary key references events (id),
  operation    uuid not null unique,
  message      text not null,
  cancelled_by uuid not null,
  state        text not null default 'RUNNING' check (state in ('RUNNING', 'DONE')),
  -- When the line was told; null until then.
  line_told_at timestamptz,
  -- Until then one server works on it.
  leased_until timestamptz not null default '-infinity',
  -- What the last reconciliation found.
  differences  integer,
  created_at   timestamptz not null default now(),
  done_at      timestamptz,
  check ((state = 'DONE') = (done_at is not null))
);
create index cancellations_running on cancellations (leased_until) where state = 'RUNNING';

-- Its orders: what was sold when the event was cancelled.
create table cancelled_orders (
  purchase_id uuid primary key references purchases (id),
  event_id    uuid not null references cancellations (event_id),
  -- FAILED: given up after many attempts, an operator has to look.
  state       text not null default 'WAITING' check (state in ('WAITING', 'REFUNDED', 'FAILED')),
  attempts    integer not null default 0 check (attempts >= 0),
  due_at      timestamptz not null default now(),
  problem     text,
  -- When the mail about it was delivered; null also while it is on its way.
  told_at     timestamptz
);
create index cancelled_orders_due on cancelled_orders (event_id, due_at) where state = 'WAITING';
create index cancelled_orders_of_event on cancelled_orders (event_id);
