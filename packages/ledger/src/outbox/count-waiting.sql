-- How many news are undelivered, and how long the oldest has waited.
-- Params   none
-- Returns  one row
select (select count(*)::int from outbox where handed_at is null)
         + (select count(*)::int from deliveries where delivered_at is null and given_up_at is null) as waiting,
       (select count(*)::int from deliveries where given_up_at is not null) as "setAside"
