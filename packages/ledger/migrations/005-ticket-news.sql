-- How far each webhook that names ticket news was told of each room's log: the last entry that a written call covers. A row
-- is made for every room there is when the webhook is created, so that it hears only what happens from then on; a room
-- without a row is younger than the webhook, and is told from its first entry.
create table ticket_news (
  webhook_id uuid not null references webhooks (id) on delete cascade,
  room_id    uuid not null references rooms (id),
  epoch      bigint not null,
  seq        bigint not null,
  -- Rooms that were told longest ago come first.
  told_at    timestamptz not null default clock_timestamp(),
  primary key (webhook_id, room_id)
);
