-- Write the deliveries of the oldest news that has none yet: to the buyer by mail, and to the webhooks of the organiser
-- and of admins.
-- Params   $1 news_max int, $2 mail_types text[]: the news that buyers get mail about
-- Returns  one row for each news handed out
-- Locks    nothing: the caller holds a lock that admits one server at a time (see hand-out-news.ts); order depends on it
with news as materialized (
  select position, aggregateid, type,
         case when aggregatetype in ('reservation', 'purchase') then aggregateid::uuid end as reservation_id
    from outbox
   where handed_at is null
   order by position
   limit $1
), concerned as (
  select news.*, reservations.buyer_id, events.organizer_id
    from news
    join reservations on reservations.id = news.reservation_id
    join events on events.id = reservations.event_id
), mails as (
  -- Guests have no account, hence no address.
  insert into deliveries (position, kind, aggregateid)
  select position, 'mail', aggregateid
    from concerned
    join users on users.id = concerned.buyer_id
   where type = any ($2::text[])
), calls as (
  insert into deliveries (position, kind, webhook_id, aggregateid)
  select position, 'webhook', webhooks.id, aggregateid
    from concerned
   cross join webhooks
    join users on users.id = webhooks.owner_id
   where (webhooks.owner_id = concerned.organizer_id or users.role = 'admin')
     and (webhooks.types = '{}' or concerned.type = any (webhooks.types))
)
update outbox
   set handed_at = clock_timestamp()
  from news
 where outbox.position = news.position
returning outbox.position
