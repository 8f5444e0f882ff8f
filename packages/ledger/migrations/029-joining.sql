-- What joining was refused for, and devices that were refused a second ticket: docs/rooms.md.

create table join_refusals (
  room_id  uuid not null references rooms (id) on delete cascade,
  reason   text not null check (reason ~ '^[a-z_]{1,40}$'),
  count    bigint not null check (count > 0),
  first_at timestamptz not null default clock_timestamp(),
  last_at  timestamptz not null default clock_timestamp(),
  primary key (room_id, reason)
);

-- One row for each time that a device is judged: until an operator lets its ticket stand, further refusals are counted in it.
create table join_verdicts (
  id            uuid primary key,
  room_id       uuid not null references rooms (id) on delete cascade,
  -- A keyed hash of the id in the device's cookie.
  device        text not null,
  -- The ticket that the device had drawn before.
  ticket_number bigint not null,
  refusals      bigint not null default 1 check (refusals > 0),
  first_at      timestamptz not null default clock_timestamp(),
  last_at       timestamptz not null default clock_timestamp(),
  appealed_at   timestamptz,
  stands_at     timestamptz,
  decided_by    uuid,
  check ((stands_at is null) = (decided_by is null))
);
create unique index join_verdicts_pending on join_verdicts (room_id, device) where stands_at is null;
create index join_verdicts_of_device on join_verdicts (room_id, device) where stands_at is not null;
create index join_verdicts_listed on join_verdicts (room_id, last_at desc, id);
create index join_verdicts_kept on join_verdicts (last_at);

update rooms set settings = '{"guestsPerDevice": 1}'::jsonb || settings;
