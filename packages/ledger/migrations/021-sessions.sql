-- Raised when a password is replaced, a role changes or an account signs out everywhere. An access token carries the
-- version it was issued under.
alter table users add column session_version integer not null default 1 check (session_version > 0);

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
  -- Who wrote the row: a reader finds what its previous snapshot could not see, whatever the order of the commits.
  written_by     xid8 not null default pg_current_xact_id(),
  primary key (kind, subject),
  check ((kind = 'account') = (below_version is not null)),
  check (kind = 'account' or except_session is null)
);
create index ended_identities_by_writer on ended_identities (written_by);
create index ended_identities_by_end on ended_identities (forget_at);

-- Random keys that outlive every secret of the settings, one for each purpose.
create table lasting_keys (
  purpose    text primary key check (purpose <> ''),
  -- 32 bytes in base64.
  key        text not null check (length(key) = 44),
  created_at timestamptz not null default now()
);
