-- The Merkle tree over each room's log, in the order of its copy and over all epochs (RFC 6962), and its signed heads.

-- The index in the whole log of the first entry of the current epoch: entry `seq` of it has the index first_index + seq - 1.
alter table rooms add column first_index bigint not null default 0;
-- How many entries are in the tree, and the 32-byte hashes of its peaks, left to right: all that appending needs. The follower
-- appends in the transaction that copies the entries; a tree that is behind is caught up with before.
alter table rooms add column tree_size bigint not null default 0;
alter table rooms add column tree_peaks bytea not null default '';
-- The host in the name under which heads are signed; it never changes. Null for a room that was made before heads were signed,
-- until its first one.
alter table rooms add column log_host text;

alter table room_epochs add column first_index bigint not null default 0;
update room_epochs
   set first_index = coalesce(
         (select sum(copied.entries)
            from (select room_id, epoch, max(seq) as entries from room_log group by room_id, epoch) as copied
           where copied.room_id = room_epochs.room_id and copied.epoch < room_epochs.epoch), 0);
update rooms
   set first_index = room_epochs.first_index
  from room_epochs
 where room_epochs.room_id = rooms.id and room_epochs.epoch = rooms.epoch;

-- Hashes of the full subtrees of 64 leaves and more; smaller ones are computed from the entries.
create table log_nodes (
  room_id  uuid not null references rooms (id),
  -- A node of level n has 2^n leaves below it.
  level    smallint not null check (level >= 6),
  -- From the left, beginning with 0.
  position bigint not null check (position >= 0),
  hash     bytea not null check (length(hash) = 32),
  primary key (room_id, level, position)
);

-- What was signed of each log. Two heads of one size would be two histories: the key forbids the second.
create table log_heads (
  room_id    uuid not null references rooms (id),
  size       bigint not null check (size > 0),
  root       bytea not null check (length(root) = 32),
  at         timestamptz not null,
  -- Keys that signed heads are kept, so that every head can be verified for ever.
  kid        text not null references signing_keys (kid),
  -- The signed note, as it is served.
  checkpoint text not null,
  primary key (room_id, size)
);

-- Which entry drew the ticket, or brought it back, in its epoch; null where that is not known.
alter table queue_entries add column drawn_seq bigint;
update queue_entries
   set drawn_seq = room_log.seq
  from room_log
 where room_log.room_id = queue_entries.room_id and room_log.epoch = queue_entries.epoch
   and room_log.kind in ('joined', 'restored') and (room_log.body ->> 'number')::bigint = queue_entries.number;
