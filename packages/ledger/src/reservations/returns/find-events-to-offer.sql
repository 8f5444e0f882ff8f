-- Events in which seats may be offered to the returns list, or an offer has ended that is not noted yet.
-- Params   $1 event_ids uuid[] or null for all, $2 result_max int
-- Returns  eventId
-- Plans    through the entries that wait and the offers that are open; both indexes hold only those
select event_id as "eventId"
  from (select event_id
          from return_requests
         where status = 'waiting' and ($1::uuid[] is null or event_id = any ($1::uuid[]))
         group by event_id) as waiting
 where exists (select from seat_maps where seat_maps.event_id = waiting.event_id and available > 0)
   and exists (select from events where events.id = waiting.event_id and state = 'published')
 union
select offers.event_id
  from offers
  join reservations on reservations.id = offers.reservation_id
 where offers.ended_at is null and reservations.status <> 'PENDING_PAYMENT'
   and ($1::uuid[] is null or offers.event_id = any ($1::uuid[]))
 limit $2
