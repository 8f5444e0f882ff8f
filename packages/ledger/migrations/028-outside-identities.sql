-- Accounts that sign in by the house's own OpenID Connect provider.

create table outside_identities (
  issuer    text not null check (issuer <> ''),
  -- Who the provider says it is; the same for ever, whatever the address.
  subject   text not null check (subject <> '' and length(subject) <= 255),
  user_id   uuid not null references users (id) on delete cascade,
  -- What the provider's groups gave the account last, so that it takes away no more than that.
  role      text check (role in ('admin', 'manager', 'box_office', 'door', 'viewer')),
  linked_at timestamptz not null default clock_timestamp(),
  used_at   timestamptz not null default clock_timestamp(),
  primary key (issuer, subject),
  -- An address that another person of the provider has now does not lead into the account of who had it before.
  unique (issuer, user_id)
);
create index outside_identities_by_user on outside_identities (user_id);
