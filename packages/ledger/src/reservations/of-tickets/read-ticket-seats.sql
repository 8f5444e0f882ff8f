-- What the tickets of event $1 hold, as of one version of its seat map.
-- Params   $1 event_id uuid, $2 result_max int
-- Returns  one row, or none when there is no such event: version, counts, offered, and tickets, a JSON list of
--          [ticket number, deadline in milliseconds, seats] of the pending reservations, the latest deadline first
select version, available, held, sold, blocked, offered,
       (select coalesce(json_agg(json_build_array(ticket_number, deadline, seats)), '[]')
          from (select ticket_number, round(extract(epoch from expires_at) * 1000) as deadline,
                       (select count(*) from reservation_items where reservation_id = reservations.id) as seats
                  from reservations
                 where event_id = $1::uuid and status = 'PENDING_PAYMENT' and ticket_number is not null
                 order by expires_at desc
                 limit $2) as pending) as tickets
  from seat_maps
 where event_id = $1::uuid
