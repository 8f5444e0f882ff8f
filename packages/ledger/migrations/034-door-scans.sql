-- Scans at the doors of an event: who was let in through which door, and what devices without a connection decided.

create table door_scans (
  -- The device draws it: a scan that arrives twice is one scan.
  id          uuid primary key,
  event_id    uuid not null references events (id),
  eticket_id  uuid not null references etickets (id),
  -- The name that staff gave the door; null where the scanner named none.
  door        text check (char_length(door) between 1 and 40),
  -- No foreign key: who scanned stays known, whatever becomes of the account.
  scanned_by  uuid not null,
  scanned_at  timestamptz not null,
  received_at timestamptz not null default clock_timestamp(),
  -- in: this scan checked the e-ticket in. The others let a holder in on a device that did not know better:
  -- conflict: another scan had checked it in; void: it was refunded, or another holder's.
  outcome     text not null check (outcome in ('in', 'conflict', 'void'))
);
create index door_scans_by_event on door_scans (event_id, received_at);
create unique index door_scans_one_in on door_scans (eticket_id) where outcome = 'in';
