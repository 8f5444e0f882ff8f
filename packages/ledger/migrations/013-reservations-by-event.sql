-- The reservations of one event, the newest first: for its organiser, and for comparing its books.
create index reservations_by_event on reservations (event_id, created_at desc, id desc);
