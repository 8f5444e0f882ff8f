-- When the doors open, from which age, and the picture of an event.
alter table events
  add column doors_at timestamptz,
  add column age_min smallint check (age_min between 0 and 120);

-- The picture as it is served. It is named by its bytes, so that two events may have the same one.
create table event_images (
  event_id uuid primary key references events (id),
  hash     text not null check (hash ~ '^[0-9a-f]{64}$'),
  width    integer not null check (width > 0),
  height   integer not null check (height > 0),
  bytes    bytea not null check (length(bytes) <= 5242880)
);
create index event_images_by_hash on event_images (hash);
