-- Guests who signed in or up: all that was theirs belongs to the account. An adoption is final. Writers that come late look
-- up here who the owner is; see adopt-guest.ts.
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
  -- Since when no live ticket of the guest is known any more; null until then.
  settled_at timestamptz
);

create index adoptions_by_user on adoptions (user_id);
create index adoptions_unsettled on adoptions (adopted_at) where settled_at is null;

-- The guest who made the reservation, when it belongs to an account by adoption.
alter table reservations add column adopted_from uuid;

-- A purchase follows its operation to the account; the index also serves the check when a key is freed.
create index purchases_by_operation on purchases (actor_id, operation_key);
alter table purchases
  drop constraint purchases_actor_id_operation_key_fkey,
  add foreign key (actor_id, operation_key) references operations (actor_id, key) on update cascade;
