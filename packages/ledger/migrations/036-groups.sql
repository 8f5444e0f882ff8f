-- Visitors who stand together as one ticket. The row of a visitor who stands with another one's ticket has ended for every
-- reader that does not know groups: servers of the version before count it as cancelled.

alter table queue_entries
  -- The ticket of the group, also after it has ended.
  add column stands_with bigint,
  -- Of a ticket that a group goes on with: the identity of its own visitor, who has left. The row's identity then names no one.
  add column left_identity text collate "C";

-- Finds who stands with a ticket; only groups are in it.
create index queue_entries_groups on queue_entries (room_id, stands_with) where stands_with is not null;

-- Finds where a guest who signs in stands with others.
create index queue_entries_guests_in_groups on queue_entries (identity) where stands_with is not null and user_id is null;

-- The default that servers of the version before do not know.
update rooms
   set settings = '{"groupMax": 6}'::jsonb || settings;
