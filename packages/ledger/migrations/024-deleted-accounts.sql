-- Accounts whose owner had them deleted: the row stays, because books refer to it, and says nothing about a person.

alter table users add column deleted_at timestamptz;

-- Deletions that are under way, so that any server finishes one that a crash left half done. `texts` are the personal texts to
-- take out of stored answers and letters: the row is deleted with the last of them.
create table erasures (
  user_id  uuid primary key references users (id),
  texts    text[] not null,
  asked_at timestamptz not null default clock_timestamp()
);

-- Ended tickets of which the ledger still has an address, a user agent or metadata: deleted after SEATWISE_RETENTION_DAYS.
create index queue_entries_kept on queue_entries (ended_at)
  where ended_at is not null and (address is not null or user_agent is not null or metadata is not null);
-- Finds what is kept of one account; guests are not in it.
create index queue_entries_by_user on queue_entries (user_id) where user_id is not null;
