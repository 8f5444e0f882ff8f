-- What buyers are asked before they pay, what they answered, and organizations with an account of their own at Stripe.

-- What an event asks for: {names?, questions?, terms?, marketing?}; an event that asks for nothing has {}.
alter table events add column checkout jsonb not null default '{}';

-- What a buyer said about an order. Personal data: these two tables are all that holds it, and the rows of a reservation
-- that is canceled or expires are deleted with it.
create table order_answers (
  reservation_id    uuid primary key references reservations (id),
  -- By question: {label, answer}, the label as it was asked.
  answers           jsonb not null default '{}',
  -- The terms as they were shown.
  terms_url         text,
  terms_accepted_at timestamptz,
  -- Whether the buyer consents to marketing now, since when that holds, and the words that were shown.
  marketing         boolean not null default false,
  marketing_at      timestamptz,
  marketing_words   text,
  updated_at        timestamptz not null default now(),
  check ((terms_url is null) = (terms_accepted_at is null)),
  check ((marketing_at is null) = (marketing_words is null)),
  check (not marketing or marketing_at is not null)
);

-- What a buyer said about each ticket. It follows the seat when late money gets another one.
create table ticket_answers (
  reservation_id uuid not null,
  seat_id        uuid not null,
  -- Of the holder; null where it is not known.
  name           text check (name <> ''),
  answers        jsonb not null default '{}',
  primary key (reservation_id, seat_id),
  foreign key (reservation_id, seat_id) references reservation_items (reservation_id, seat_id)
    on update cascade on delete cascade
);

-- Where the money of an organization's events goes; null for the house's own account.
alter table organizations add column stripe_account text check (stripe_account ~ '^acct_[A-Za-z0-9]{1,64}$');
