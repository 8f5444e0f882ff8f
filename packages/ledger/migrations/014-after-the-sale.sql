-- After the sale: e-tickets that change hands, the list of those who wait for returned seats, and links in mail.

-- {transfersUntil?: time, returnsOfferMinutes?: int}: what the organiser set; everything else has its default.
alter table events add column after jsonb not null default '{}';

alter table etickets
  -- Who has it, an account or a guest, once it was transferred; until then null: the buyer of the reservation.
  add column holder_id uuid,
  -- Raised by each transfer. A code names the generation it was signed for, and codes of earlier ones are void.
  add column generation integer not null default 1 check (generation > 0),
  add check (holder_id is null or generation > 1);
create index etickets_by_holder on etickets (holder_id) where holder_id is not null;

-- Of the held seats: those that are offered to the returns list. Such seats do not end "sold out".
alter table seat_maps add column offered integer not null default 0 check (offered >= 0);

-- Links that mail carries. The token is drawn when the mail is written and is nowhere but in it; here is its SHA-256. A
-- mail that is sent again has a new link, and the earlier ones stay good.
create table mail_links (
  token_hash text primary key check (length(token_hash) = 43),
  kind       text not null check (kind in ('order', 'transfer', 'return', 'offer')),
  -- A reservation, a transfer, a request for returns or an offer. No foreign key: it names rows of four tables.
  subject_id uuid not null,
  created_at timestamptz not null default now()
);
create index mail_links_by_subject on mail_links (subject_id);

-- An e-ticket on its way to another holder. The id is also that of the guest who accepts without signing in.
create table transfers (
  id          uuid primary key,
  eticket_id  uuid not null references etickets (id),
  -- The holder who gives it away, an account or a guest.
  from_id     uuid not null,
  email       text not null check (email <> '' and length(email) <= 254),
  language    text check (language ~ '^[a-z]{2}$'),
  status      text not null default 'open' check (status in ('open', 'accepted', 'withdrawn')),
  accepted_by uuid,
  created_at  timestamptz not null default clock_timestamp(),
  ended_at    timestamptz,
  check ((status = 'open') = (ended_at is null)),
  check ((status = 'accepted') = (accepted_by is not null))
);
create unique index transfers_one_open on transfers (eticket_id) where status = 'open';
create index transfers_by_eticket on transfers (eticket_id, created_at);
create index transfers_by_giver on transfers (from_id);
create index transfers_by_taker on transfers (accepted_by) where accepted_by is not null;

-- The returns list: who wants seats of a sold-out event that come back.
create table return_requests (
  id           uuid primary key,
  event_id     uuid not null references events (id),
  email        text not null check (email <> '' and length(email) <= 254),
  -- What makes two spellings of an address the same.
  email_key    text not null check (email_key <> ''),
  language     text check (language ~ '^[a-z]{2}$'),
  -- Null for seats of any type.
  seat_type_id uuid,
  quantity     integer not null check (quantity > 0),
  -- unconfirmed until the link in the mail was used; lapsed: its offer ran out.
  status       text not null default 'unconfirmed'
               check (status in ('unconfirmed', 'waiting', 'offered', 'served', 'lapsed', 'left')),
  asked_at     timestamptz not null default clock_timestamp(),
  confirmed_at timestamptz,
  foreign key (event_id, seat_type_id) references seat_types (event_id, id),
  check (status in ('unconfirmed', 'left') or confirmed_at is not null)
);
-- One entry for each address and event.
create unique index return_requests_once on return_requests (event_id, email_key)
  where status in ('unconfirmed', 'waiting', 'offered');
create index return_requests_in_order on return_requests (event_id, asked_at, id) where status = 'waiting';
create index return_requests_unconfirmed on return_requests (asked_at) where status = 'unconfirmed';

-- Seats that are held for one request. The hold is a reservation like all others, so that its seats are neither sold nor
-- offered twice; its buyer is a guest with the offer's own id until the offer is accepted.
create table offers (
  id             uuid primary key,
  request_id     uuid not null references return_requests (id),
  event_id       uuid not null references events (id),
  reservation_id uuid not null unique references reservations (id),
  made_at        timestamptz not null,
  -- Until when the mail says that it lasts.
  expires_at     timestamptz not null,
  accepted_by    uuid,
  -- When a server found that its reservation had ended, paid or not.
  ended_at       timestamptz
);
create unique index offers_one_open on offers (request_id) where ended_at is null;
create index offers_open on offers (event_id) where ended_at is null;
create index offers_by_taker on offers (accepted_by) where accepted_by is not null;
