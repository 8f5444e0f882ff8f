-- How an organiser's pages look. The pages adapt the colour until it can be read; everything else is shown as text.
create table brands (
  room_id    uuid primary key references rooms (id),
  colour     text check (colour ~ '^#[0-9a-f]{6}$'),
  logo       text check (logo ~ '^https://' and length(logo) <= 512),
  text       text check (length(text) <= 2000),
  updated_at timestamptz not null default now()
);
