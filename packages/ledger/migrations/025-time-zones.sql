-- The clock at the venue, by which an event is announced. Names are checked against the IANA database before they come
-- here; what was made before this column was announced in UTC.
alter table events add column time_zone text not null default 'UTC' check (time_zone <> '');
