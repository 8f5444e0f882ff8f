-- Who a reservation is for: where its mail goes, and in which language. A table of its own, because it is personal data
-- that most claims do not have, and because it stays with the reservation when an account adopts the guest who made it.
create table addressees (
  reservation_id uuid primary key references reservations (id),
  email          text not null check (email <> '' and length(email) <= 254),
  name           text check (name <> ''),
  -- Null when the buyer named none: then mail is in English.
  language       text check (language ~ '^[a-z]{2}$'),
  updated_at     timestamptz not null default now()
);
