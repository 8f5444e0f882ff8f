-- Forget what old versions of seat maps changed.
-- Params   $1 age_seconds int, $2 result_max int
-- Returns  a row for each that was forgotten
delete from seat_changes
 where (event_id, version) in (
         select event_id, version
           from seat_changes
          where at < now() - make_interval(secs => $1)
          order by at
          limit $2)
returning 1
