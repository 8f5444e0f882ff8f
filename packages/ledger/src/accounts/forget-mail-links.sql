-- Delete links in mails about events that have been over for long, or about what is gone; look at the others again later.
-- Params   $1 days_max int: how long after its event a link is kept, $2 links_max int: how many to look at
-- Returns  one row: looked, how many were looked at
-- Locks    the links; those that another server looks at are left out
-- Bounds   reads only links whose time to be looked at has come. An event may be moved, so a link does not know its end.
with due as (
  select token_hash, kind, subject_id
    from mail_links
   where check_at <= now() and kind in ('order', 'transfer', 'return', 'offer')
   order by check_at
   limit $2::int
     for update skip locked
), about as (
  select due.token_hash,
         case due.kind
           when 'order' then (select event_id from reservations where id = due.subject_id)
           when 'transfer' then (select etickets.event_id from transfers
                                   join etickets on etickets.id = transfers.eticket_id
                                  where transfers.id = due.subject_id)
           when 'return' then (select event_id from return_requests where id = due.subject_id)
           else (select event_id from offers where id = due.subject_id)
         end as event_id
    from due
), ends as (
  select about.token_hash,
         (events.over_at at time zone 'UTC' + make_interval(days => $1::int)) at time zone 'UTC' as ends_at
    from about
    left join events on events.id = about.event_id
), gone as (
  delete from mail_links
   using ends
   where mail_links.token_hash = ends.token_hash and coalesce(ends.ends_at, '-infinity') <= now()
), kept as (
  update mail_links
     set check_at = greatest(ends.ends_at, now() + interval '1 day')
    from ends
   where mail_links.token_hash = ends.token_hash and ends.ends_at > now()
)
select count(*)::int as looked from due
