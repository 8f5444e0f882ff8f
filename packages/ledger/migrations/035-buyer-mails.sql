-- Mail that an organiser writes to all buyers of an event.

create table buyer_mails (
  -- The sender draws it: a mail that is asked for twice is one mail.
  id         uuid primary key,
  event_id   uuid not null references events (id),
  -- No foreign key: who sent it stays known, whatever becomes of the account.
  sent_by    uuid not null,
  subject    text not null check (char_length(subject) between 1 and 200),
  body       text not null check (char_length(body) between 1 and 10000),
  recipients integer not null check (recipients >= 0),
  created_at timestamptz not null default clock_timestamp()
);
create index buyer_mails_by_event on buyer_mails (event_id, created_at);
-- The mail log of an event finds mail by what it is about.
create index deliveries_of_mail on deliveries (aggregateid) where kind = 'mail';
