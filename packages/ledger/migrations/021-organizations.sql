-- Organizations have members with roles, invitations and API keys; what is sold or told belongs to one.

-- Who may act for an organization, and as what. A row of a member who left stays for a day, so that every server that keeps
-- the list in memory hears of the end.
create table members (
  organization_id uuid not null references organizations (id),
  user_id         uuid not null references users (id) on delete cascade,
  role            text not null check (role in ('owner', 'manager', 'box_office', 'door', 'viewer')),
  since           timestamptz not null default now(),
  ended_at        timestamptz,
  -- The transaction that wrote the row: a reader finds what its previous snapshot could not see, in any order of commits.
  written_by      xid8 not null default pg_current_xact_id(),
  primary key (organization_id, user_id)
);
create index members_by_user on members (user_id) where ended_at is null;
create index members_by_writer on members (written_by);
create index members_by_end on members (ended_at) where ended_at is not null;

-- An address that gets a role once its owner has used the link in the mail (mail_links, kind invitation).
create table invitations (
  id              uuid primary key,
  organization_id uuid not null references organizations (id),
  email           text not null,
  -- As in users: one invitation for an address and organization, the last one counts.
  email_key       text not null,
  role            text not null check (role in ('owner', 'manager', 'box_office', 'door', 'viewer')),
  invited_by      uuid not null,
  -- In which language the mail is written.
  language        text check (language ~ '^[a-z]{2}$'),
  created_at      timestamptz not null default now(),
  expires_at      timestamptz not null,
  unique (organization_id, email_key)
);
create index invitations_by_end on invitations (expires_at);
alter table mail_links
  drop constraint mail_links_kind_check,
  add constraint mail_links_kind_check check (kind in ('order', 'transfer', 'return', 'offer', 'invitation'));

-- What programs act with. The key itself is shown once and stored nowhere.
create table api_keys (
  id              uuid primary key,
  organization_id uuid not null references organizations (id),
  name            text not null check (name <> ''),
  role            text not null check (role in ('manager', 'box_office', 'door', 'viewer')),
  -- SHA-256 of the key.
  hash            bytea not null unique check (length(hash) = 32),
  -- The last characters, by which people tell keys apart.
  ending          text not null,
  made_by         uuid not null references users (id),
  created_at      timestamptz not null default now(),
  expires_at      timestamptz,
  -- At most a minute late, so that a busy key writes little.
  last_used_at    timestamptz,
  revoked_at      timestamptz,
  written_by      xid8 not null default pg_current_xact_id()
);
create index api_keys_by_organization on api_keys (organization_id, id) where revoked_at is null;
create index api_keys_by_writer on api_keys (written_by);

-- A room without an event has an organization of its own; every other one has that of its event.
alter table rooms add column organization_id uuid references organizations (id);
-- Null: a webhook of the house's admins, which hears the news of every organization.
alter table webhooks add column organization_id uuid references organizations (id);
create index webhooks_by_organization on webhooks (organization_id);
create index events_by_organization on events (organization_id, sales_start_at desc);

-- WHAT EXISTS ----------------------------------------------------------------------------------------------------------

-- The house belongs to the admins, and its staff sells and checks in.
insert into members (organization_id, user_id, role)
select '00000000-0000-4000-8000-000000000001', id, case role when 'admin' then 'owner' else 'box_office' end
  from users where role in ('admin', 'staff');

-- Each organizer owns an organization with the events, rooms and webhooks that were theirs. Receipts that were issued stay
-- with the house. What receipts say beside the name, and where money goes, stays as it was until somebody changes it.
create temporary table organizations_of_organizers on commit drop as
select users.id as user_id, users.name, gen_random_uuid() as organization_id from users where role = 'organizer';
insert into organizations (id, name, address, tax_number, stripe_account)
select organization_id, organizations_of_organizers.name, house.address, house.tax_number, house.stripe_account
  from organizations_of_organizers
  join organizations as house on house.id = '00000000-0000-4000-8000-000000000001';
insert into members (organization_id, user_id, role)
select organization_id, user_id, 'owner' from organizations_of_organizers;
update events
   set organization_id = theirs.organization_id
  from organizations_of_organizers as theirs
 where events.organizer_id = theirs.user_id;
update rooms
   set organization_id = coalesce(
         (select organization_id from organizations_of_organizers where user_id = rooms.owner_id),
         '00000000-0000-4000-8000-000000000001')
 where event_id is null;
alter table rooms add check ((event_id is null) = (organization_id is not null));
update webhooks
   set organization_id = theirs.organization_id
  from organizations_of_organizers as theirs
 where webhooks.owner_id = theirs.user_id;
-- Owners who lost their role heard nothing, and their webhooks stay theirs no longer.
delete from webhooks
 where organization_id is null and not exists (select from users where users.id = owner_id and users.role = 'admin');
