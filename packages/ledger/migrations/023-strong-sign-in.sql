-- Passkeys, and recovery codes for when they are lost.

alter table sessions
  drop constraint sessions_method_check,
  add constraint sessions_method_check check (method in ('password', 'link', 'passkey', 'openid', 'recovery'));

-- Public keys of authenticators; the private halves never leave them.
create table passkeys (
  -- The credential's id, base64url.
  id         text primary key check (id <> '' and length(id) <= 1400),
  user_id    uuid not null references users (id) on delete cascade,
  name       text not null check (name <> '' and length(name) <= 100),
  -- COSE, base64url.
  public_key text not null,
  -- Of signatures, where the authenticator counts them: a lower one betrays a copy.
  counter    bigint not null default 0 check (counter >= 0),
  transports text[] not null default '{}',
  made_at    timestamptz not null default clock_timestamp(),
  used_at    timestamptz
);
create index passkeys_by_user on passkeys (user_id);

-- For the owner of a lost authenticator: keyed hashes, each good once.
create table recovery_codes (
  user_id   uuid not null references users (id) on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash)
);

-- What an authenticator has to sign. Good once, for a few minutes.
create table sign_in_challenges (
  challenge  text primary key,
  -- For whom a passkey is being made; null for signing in.
  user_id    uuid references users (id) on delete cascade,
  expires_at timestamptz not null default clock_timestamp() + interval '10 minutes'
);
create index sign_in_challenges_by_end on sign_in_challenges (expires_at);
