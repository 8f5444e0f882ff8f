-- When the line of a room without an event opens and closes; null: it is open always, or until it is archived.

alter table rooms
  add column opens_at timestamptz,
  add column closes_at timestamptz,
  add constraint rooms_schedule check (event_id is null or (opens_at is null and closes_at is null)),
  add constraint rooms_open_before_they_close check (closes_at > opens_at);
