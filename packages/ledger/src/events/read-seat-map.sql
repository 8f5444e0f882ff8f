-- The seat map of event $1 as JSON text, made by the database: a list of 60,000 objects would stall the server's loop.
-- Params   $1 event_id uuid, $2 seat_type_ids uuid[]: types that are left out
-- Returns  one row: version, expired (pending reservations that have expired and are not swept yet), seats
-- Shows    an expired hold as available, by the database's own clock
select coalesce((select version from seat_maps where event_id = $1::uuid), 0) as version,
       (select count(*)
          from reservations
         where event_id = $1::uuid and status = 'PENDING_PAYMENT' and expires_at <= now()) as expired,
       '[' || coalesce(string_agg(
         '{"id":"' || id || '","seatTypeId":"' || seat_type_id
         || '","row":' || coalesce(to_json(row_label)::text, 'null')
         || ',"number":' || coalesce(seat_number::text, 'null')
         || case when along is distinct from seat_number then ',"along":' || along else '' end
         || ',"status":"' || case when status = 'held' and held_until <= now() then 'available' else status end || '"'
         || case when accessible then ',"accessible":true' else '' end
         || case when x is null then '' else ',"x":' || x || ',"y":' || y end
         || '}', ',' order by ordinal) filter (where not retired and seat_type_id <> all ($2::uuid[])), '') || ']' as seats
  from seats
 where event_id = $1::uuid
