-- How often mail of a purchase was asked for again in the last seconds, and in how many the first of them is too old.
-- Params   $1 purchase_id uuid, $2 seconds int
-- Returns  one row: count, waitSeconds, which is 0 without any
select count(*)::int as count,
       coalesce(ceil(extract(epoch from min(asked_at) + make_interval(secs => $2::int) - clock_timestamp())), 0)::int
         as "waitSeconds"
  from ticket_resends
 where purchase_id = $1::uuid and asked_at > clock_timestamp() - make_interval(secs => $2::int)
