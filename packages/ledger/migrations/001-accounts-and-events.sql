-- The baseline, part 1 of 4: accounts, events, search.
-- An applied migration never changes, these four included (checksums.txt): a change is a new file with a higher number.

-- ACCOUNTS -------------------------------------------------------------------------------------------------------------

-- People who can sign in. Guests have no row: their signed access token is all there is of them. So no column that may
-- name a guest (buyer_id, actor_id, owner_id, guest_id) is a foreign key.
create table users (
  id              uuid primary key,
  email           text not null,
  -- What makes two spellings of an address the same account; unique so that a race cannot make two.
  email_key       text not null unique,
  password_hash   text not null,
  name            text not null check (name <> ''),
  avatar          text,
  role            text not null check (role in ('buyer', 'staff', 'organizer', 'admin')),
  -- Raised when a password is replaced, a role changes or an account signs out everywhere. An access token carries the
  -- version it was issued under.
  session_version integer not null default 1 check (session_version > 0),
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now()
);

-- What ended before its access tokens expire. Every server keeps this list in memory and reads what is new each second.
create table ended_identities (
  kind           text not null check (kind in ('session', 'account', 'guest')),
  -- The id of the session, of the account whose older sessions ended, or of the guest.
  subject        uuid not null,
  -- Of an account: tokens with a lower version are refused, but for those of one session.
  below_version  integer check (below_version > 0),
  except_session uuid,
  ended_at       timestamptz not null default now(),
  -- No token of it can be valid after this time.
  forget_at      timestamptz not null,
  -- The transaction that wrote the row: a reader finds what its previous snapshot could not see, in any order of commits.
  written_by     xid8 not null default pg_current_xact_id(),
  primary key (kind, subject),
  check ((kind = 'account') = (below_version is not null)),
  check (kind = 'account' or except_session is null)
);
create index ended_identities_by_writer on ended_identities (written_by);
create index ended_identities_by_end on ended_identities (forget_at);

-- Guests who signed in or up: all that was theirs belongs to the account. An adoption is final. A writer that comes late
-- looks up the owner here; see adopt-guest.ts.
create table adoptions (
  guest_id   uuid primary key,
  user_id    uuid not null references users (id),
  -- By which rooms know the guest: as in queue_entries.
  identity   text collate "C" not null,
  -- Reservations of the guest that would have brought the account over the limit.
  canceled   uuid[] not null default '{}',
  adopted_at timestamptz not null default clock_timestamp(),
  -- When a server last began to tell a line of it, so that servers take turns.
  tried_at   timestamptz,
  -- Since when every line has been told: no live ticket of the guest is known any more; null until then.
  delivered_at timestamptz
);
create index adoptions_by_user on adoptions (user_id);
create index adoptions_undelivered on adoptions (adopted_at) where delivered_at is null;

-- Random keys that outlive every secret of the settings, one for each purpose: 32 bytes in base64.
create table lasting_keys (
  purpose    text primary key check (purpose <> ''),
  key        text not null check (length(key) = 44),
  created_at timestamptz not null default now()
);

-- Ed25519 key pairs that sign passes and e-tickets, shared by all servers.
create table signing_keys (
  -- RFC 7638 thumbprint of the public key.
  kid                text primary key,
  -- Order of creation; unique so that servers which rotate at the same moment make one new key between them.
  generation         integer not null unique check (generation > 0),
  -- Base64url of the 32 bytes, as in a JWK's "x".
  public_key         text not null,
  -- Encrypted with a key derived from the secret named by sealed_with; erased when the key has signed its last.
  sealed_private_key text,
  sealed_with        text,
  signs_from         timestamptz not null,
  signs_until        timestamptz not null,
  -- What was signed may be checked, and the public key is published, until then.
  published_until    timestamptz not null,
  created_at         timestamptz not null default now(),
  check (signs_from < signs_until and signs_until <= published_until),
  check ((sealed_private_key is null) = (sealed_with is null))
);

-- EVENTS ---------------------------------------------------------------------------------------------------------------

-- What search reads is folded once, when it is written: accents, case and punctuation are gone, words stand apart by one
-- blank. A query is folded by the same function, so "ha noi" and "Hà Nội" are the same text.
create extension if not exists unaccent;
create extension if not exists pg_trgm;

-- The extension's own function is only stable, because its dictionary can be changed. Ours is declared immutable, which
-- generated columns need: after editing that dictionary, rewrite the events. The dictionary is named with its schema,
-- wherever the extension was installed, so that the answer never depends on a search path.
do $$
declare
  home text;
begin
  select quote_ident(nspname) into strict home
    from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
   where extname = 'unaccent';
  execute format(
    $function$
      create function fold_text(value text) returns text
        language sql immutable strict parallel safe
        return trim(regexp_replace(lower(%1$s.unaccent('%1$s.unaccent'::regdictionary, normalize(value, NFKC))),
          '[^[:alnum:]]+', ' ', 'g'))
    $function$, home);
end
$$;

-- "Hà Nội" is also written Hanoi: a place is found with and without the blanks in it.
create function fold_place(location text) returns text
  language sql immutable strict parallel safe
  return fold_text(location) || ' ' || replace(fold_text(location), ' ', '');

create table events (
  id              uuid primary key,
  organizer_id    uuid references users (id),
  name            text not null check (name <> ''),
  code            text,
  description     text not null default '',
  location        text not null default '',
  -- The clock at the venue, by which an event is announced. Names are checked against the IANA database before they come here.
  time_zone       text not null default 'UTC' check (time_zone <> ''),
  starts_at       timestamptz,
  ends_at         timestamptz,
  sales_start_at  timestamptz not null,
  sales_end_at    timestamptz not null,
  -- One for each event: a reservation may hold seats of several types and is paid in one currency.
  currency        text not null default 'EUR' check (currency ~ '^[A-Z]{3}$'),
  additional_info jsonb not null default '{}',
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  name_folded     text not null generated always as (fold_text(name)) stored,
  code_folded     text generated always as (fold_text(code)) stored,
  place_folded    text not null generated always as (fold_place(location)) stored,
  -- Name, code and place: what typing errors are forgiven in.
  near_folded     text not null
    generated always as (fold_text(name || ' ' || coalesce(code, '')) || ' ' || fold_place(location)) stored,
  name_words      tsvector not null
    generated always as (to_tsvector('simple', fold_text(name || ' ' || coalesce(code, '')))) stored,
  -- Weights: A name and code, B place, C the first 4,000 characters of the description.
  words           tsvector not null generated always as (
    setweight(to_tsvector('simple', fold_text(name || ' ' || coalesce(code, ''))), 'A')
    || setweight(to_tsvector('simple', fold_place(location)), 'B')
    || setweight(to_tsvector('simple', fold_text(left(description, 4000))), 'C')) stored,
  -- What date filters read: when it takes place or, where that is open, when its sale begins.
  happens_at      timestamptz not null generated always as (coalesce(starts_at, sales_start_at)) stored,
  -- When it is over: at its end, six hours after its beginning where that is open, else with its sale. Here and below
  -- times go through UTC without a zone, because adding to a time with one depends on a setting of the session.
  over_at         timestamptz not null generated always as (
    coalesce(ends_at, (starts_at at time zone 'UTC' + interval '6 hours') at time zone 'UTC', sales_end_at)) stored,
  -- Its place in the list: the beginning. Events without a date follow all others, in order of their sales; no time is
  -- later than the year 3000.
  listed_at       timestamptz not null generated always as (
    coalesce(starts_at, (sales_start_at at time zone 'UTC' + interval '1000 years') at time zone 'UTC')) stored,
  constraint events_one_currency unique (id, currency),
  check (sales_end_at > sales_start_at),
  check (ends_at >= starts_at)
);
create index events_by_name on events (name_folded collate "C", id);
create index events_by_date on events (happens_at, id);
-- Without fast update: a list of postponed entries would be read by every search, and events are written rarely.
create index events_by_name_words on events using gin (name_words) with (fastupdate = off);
create index events_by_words on events using gin (words) with (fastupdate = off);
create index events_by_near_trigrams on events using gin (near_folded gin_trgm_ops) with (fastupdate = off);
create index events_by_place_trigrams on events using gin (place_folded gin_trgm_ops) with (fastupdate = off);
-- One for each part of the list, so that events of the past are never read, however many there are: what is to come,
-- what has begun and is not over, and what has no date.
create index events_to_come on events (listed_at, id) where starts_at is not null;
create index events_under_way on events using gist (tstzrange(starts_at, over_at)) where starts_at is not null;
create index events_without_date on events (over_at) where starts_at is null;

create table seat_types (
  id               uuid primary key,
  event_id         uuid not null references events (id),
  position         integer not null,
  name             text not null check (name <> ''),
  description      text not null default '',
  price            bigint not null check (price >= 0),
  currency         text not null check (currency ~ '^[A-Z]{3}$'),
  reserved_seating boolean not null,
  -- The rows of numbered seats as the organiser drew them; null where seats have no number. Only editing an event
  -- changes it, in the transaction that changes the seats themselves.
  layout           jsonb check ((layout is not null) = reserved_seating),
  unique (event_id, position),
  unique (event_id, id),
  constraint seat_types_currency_of_event
    foreign key (event_id, currency) references events (id, currency) on update cascade
);
