-- Fill an empty ledger with $1 events of two to five words, each with a room, a seat type and five seats.
-- Params   $1 events int
-- Returns  nothing
-- Repeats  the same events on every machine: words are chosen by arithmetic, not at random
with vocabulary as (
  select array['Aurora', 'Nordic', 'Midnight', 'Summer', 'Winter', 'Electric', 'Golden', 'Silent', 'Broken', 'Crystal',
               'Velvet', 'Neon', 'Royal', 'Urban', 'Cosmic', 'Dvořák', 'Requiem', 'Jazz', 'Rock', 'Opera', 'Swan',
               'Lake', 'Giselle', 'Carmen', 'Hamlet', 'Đêm', 'Nhạc', 'Trịnh', '아이유', '콘서트', 'Café', 'Salsa',
               'Techno', 'Indie', 'Metal', 'Folk', 'Gospel', 'Comedy', 'Magic', 'Circus'] as words,
         array['Live', 'Night', 'Festival', 'Show', 'Tour', 'Concert', 'Symphony', 'Gala', 'Party', 'Experience',
               'Session', 'Weekend', 'Evening', 'Jam', 'Ball', 'Fest', 'Revue', 'Recital', 'Premiere', 'Matinee']
           as kinds,
         array['Hà Nội', 'Praha', 'Paris', '서울', 'Berlin', 'Wien', 'London', 'Đà Nẵng', 'Brno', 'Lyon', '부산',
               'München', 'Köln', 'Zürich', 'Genève', 'Kraków', 'Łódź', 'São Paulo', 'Málaga', 'Reykjavík',
               'Hồ Chí Minh', 'Madrid', 'Roma', 'Oslo', 'Tromsø'] as places
), event as (
  insert into events (id, name, code, description, location, starts_at, sales_start_at, sales_end_at, created_at)
  select gen_random_uuid(),
         words[1 + hash % 40] || ' ' || words[1 + hash / 40 % 40] || ' ' || kinds[1 + hash / 1600 % 20] || ' ' || number,
         'C' || number,
         'An evening with ' || words[1 + hash / 32000 % 40] || ' and friends in the heart of '
           || places[1 + hash / 7 % 25] || ', doors open at seven, the show starts at eight. ' || md5(number::text),
         places[1 + hash / 11 % 25],
         now() + number * interval '5 minutes', now(), now() + interval '1 year', now() - number * interval '1 second'
    from vocabulary
   cross join generate_series(1, $1::int) as number
   cross join lateral (select (number * 2654435761 % 2147483647)::int as hash) as hashed
  returning id, name
), room as (
  insert into rooms (id, event_id, name, settings)
  select gen_random_uuid(), id, name, '{"capacity": 100}' from event
), seat_type as (
  insert into seat_types (id, event_id, position, name, price, currency, reserved_seating)
  select gen_random_uuid(), id, 1, 'General', 0, 'EUR', false from event
  returning id, event_id
)
insert into seats (event_id, seat_type_id, ordinal)
select event_id, id, ordinal from seat_type cross join generate_series(1, 5) as ordinal
