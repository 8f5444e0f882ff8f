-- The public draw of a room: docs/fair-start.md. What the log tells is not stored again, so a draw is known by its commitment.
create table room_draws (
  room_id       uuid not null references rooms (id),
  -- SHA-256 of the secret, in hex. The draw that counts is the one that the log announced last.
  commitment    text not null check (commitment ~ '^[0-9a-f]{64}$'),
  -- Encrypted with a key derived from the secret named by sealed_with.
  sealed_secret text not null,
  sealed_with   text not null,
  -- The tree of the log right before the entry that seals; null until the seal is in the ledger.
  tree_size     bigint,
  tree_root     text check (tree_root ~ '^[0-9a-f]{64}$'),
  -- Of the beacon's round, once it was verified.
  signature     text,
  created_at    timestamptz not null default now(),
  primary key (room_id, commitment),
  check ((tree_size is null) = (tree_root is null))
);
-- The few entries that tell how far a draw is, among a million joins.
create index room_log_draws on room_log (room_id, epoch, seq) where kind in ('draw', 'sealed', 'revealed');

update rooms
   set settings = '{"preQueueAt": null, "draw": "none", "groupMax": 6}'::jsonb || settings;
