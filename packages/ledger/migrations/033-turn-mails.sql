-- Where a mail goes when it is a visitor's turn. Personal data: a row goes soon after the mail, or after the ticket's end.
create table turn_mails (
  id       uuid primary key,
  room_id  uuid not null references rooms (id),
  -- No foreign key: the ledger may learn of the ticket a moment later.
  number   bigint not null,
  email    text not null,
  language text not null check (language ~ '^[a-z]{2}$'),
  asked_at timestamptz not null default clock_timestamp(),
  -- When the ticket waited no longer, whether or not a mail went out.
  told_at  timestamptz,
  unique (room_id, number)
);
create index turn_mails_open on turn_mails (room_id, number) where told_at is null;
