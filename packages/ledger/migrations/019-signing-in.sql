-- Signing in without a password, and sessions that can be listed and ended one by one.

alter table users
  -- Null for an account that signs in by link only.
  alter column password_hash drop not null,
  -- When its owner proved that the address is theirs: by a link in a mail, or because the operator named it. Null until then.
  add column verified_at timestamptz;
-- The operator's own accounts were made by the operator.
update users set verified_at = now() where role = 'admin';

-- What the access tokens of accounts belong to, from signing in until their end. A session that ended has no row; while
-- its tokens could be valid it is in ended_identities.
create table sessions (
  id        uuid primary key,
  user_id   uuid not null references users (id) on delete cascade,
  -- How its owner signed in.
  method    text not null check (method in ('password', 'link', 'passkey', 'openid')),
  -- Browser and system, in a few words; the user agent itself is not kept.
  device    text not null check (length(device) <= 100),
  begun_at  timestamptz not null default clock_timestamp(),
  -- When its owner last confirmed to be there: by signing in, or by repeating it before a dangerous act.
  confirmed_at timestamptz not null default clock_timestamp(),
  -- Written at most every few minutes.
  used_at   timestamptz not null default clock_timestamp(),
  ends_at   timestamptz not null
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_end on sessions (ends_at);

-- Mail with a link and a code that sign in. Hashes are keyed with the secret, because eight digits are soon guessed.
create table sign_in_codes (
  id          uuid primary key,
  email       text not null check (email <> '' and length(email) <= 254),
  email_key   text not null check (email_key <> ''),
  language    text not null check (language ~ '^[a-z]{2}$'),
  -- Of each time the mail was written: a mail that is sent again carries another code.
  code_hashes text[] not null default '{}',
  link_hashes text[] not null default '{}',
  -- Of the browser that asked; null when a program did.
  asker_hash  text,
  -- The path that the visitor wanted.
  next        text not null default '/' check (length(next) <= 500),
  tries       integer not null default 0 check (tries between 0 and 50),
  asked_at    timestamptz not null default clock_timestamp(),
  expires_at  timestamptz not null default clock_timestamp() + interval '15 minutes'
);
create index sign_in_codes_by_address on sign_in_codes (email_key);
create index sign_in_codes_by_asker on sign_in_codes (asker_hash) where asker_hash is not null;
create index sign_in_codes_by_end on sign_in_codes (expires_at);

-- How often each sender tried a code.
create table sign_in_tries (
  code_id     uuid not null references sign_in_codes (id) on delete cascade,
  sender_hash text not null,
  tries       integer not null check (tries between 1 and 5),
  primary key (code_id, sender_hash)
);
