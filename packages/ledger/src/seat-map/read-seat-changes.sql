-- The state of event $1's seat map, and what changed since version $2.
-- Params   $1 event_id uuid, $2 version bigint, $3 result_max int
-- Returns  one row, or none when there is no such event: version, counts, rows:
--          [[version, changes or null], …] in order
select version, available, held, sold, blocked,
       (select coalesce(json_agg(json_build_array(noted.version, noted.changes)), '[]')
          from (select seat_changes.version, seat_changes.changes
                  from seat_changes
                 where seat_changes.event_id = $1::uuid and seat_changes.version > $2::bigint
                 order by seat_changes.version
                 limit $3) as noted) as rows
  from seat_maps
 where event_id = $1::uuid
