-- Write the deliveries of the oldest news that has none yet: to the buyer by mail, and to the webhooks of the
-- organization and of admins. Letters about a transfer, the returns list, signing in, an invitation or a turn go to
-- the address that they name, and to no webhook.
-- Params   $1 news_max int, $2 mail_types text[]: the news that buyers get mail about
-- Returns  one row for each news handed out
-- Locks    nothing: the caller holds a lock that admits one server at a time (see hand-out-news.ts); order depends on it
with news as materialized (
  select position, aggregatetype, aggregateid, type,
         case when aggregatetype in ('reservation', 'purchase') then aggregateid::uuid end as reservation_id
    from outbox
   where handed_at is null
   order by position
   limit $1
), concerned as (
  select news.*, reservations.buyer_id, events.organization_id
    from news
    join reservations on reservations.id = news.reservation_id
    join events on events.id = reservations.event_id
), mails as (
  -- A guest who has not said who a reservation is for has no address.
  insert into deliveries (position, kind, aggregateid)
  select position, 'mail', aggregateid
    from concerned
   where type = any ($2::text[])
     and (exists (select from users where users.id = concerned.buyer_id)
          or exists (select from addressees where addressees.reservation_id = concerned.reservation_id))
   union all
  select position, 'mail', aggregateid
    from news
   where type = any ($2::text[]) and aggregatetype in ('transfer', 'return', 'sign_in', 'invitation', 'turn')
), calls as (
  insert into deliveries (position, kind, webhook_id, aggregateid)
  select position, 'webhook', webhooks.id, aggregateid
    from concerned
   cross join webhooks
    join users on users.id = webhooks.owner_id
   where (webhooks.organization_id = concerned.organization_id or (webhooks.organization_id is null and users.role = 'admin'))
     and (webhooks.types = '{}' or concerned.type = any (webhooks.types))
)
update outbox
   set handed_at = clock_timestamp()
  from news
 where outbox.position = news.position
returning outbox.position
