-- People who can sign in. Guests have no row: their signed access token is all there is of them.
create table users (
  id            uuid primary key,
  email         text not null,
  -- What makes two spellings of an address the same account; unique so that a race cannot make two.
  email_key     text not null unique,
  password_hash text not null,
  name          text not null check (name <> ''),
  avatar        text,
  role          text not null check (role in ('buyer', 'staff', 'organizer', 'admin')),
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now()
);
