-- How many of an event's e-tickets are inside, in all and by door.
-- Params   $1 event_id uuid, $2 doors_max int
-- Returns  one row; `doors` is JSON, the busiest first
select (select count(*)::int from etickets where event_id = $1::uuid and reservation_status = 'PAID' and voided_at is null) as valid,
       (select count(*)::int from etickets where event_id = $1::uuid and checked_in_at is not null) as inside,
       (select coalesce(json_agg(json_build_object('door', door, 'in', inside) order by inside desc, door), '[]')
          from (select door, count(*)::int as inside
                  from door_scans
                 where event_id = $1::uuid and outcome = 'in' and door is not null
                 group by door
                 order by inside desc, door
                 limit $2) as busiest) as doors
