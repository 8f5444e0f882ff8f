-- The e-tickets with a short code: one for each event that has it.
-- Params   $1 short_code text, $2 event_id uuid or null for all events, $3 organization_ids uuid[] or null for all
-- Returns  id and eventId, at most two rows: two are already too many to choose from
select etickets.id, event_id as "eventId"
  from etickets
  join events on events.id = event_id
 where short_code = $1::text and ($2::uuid is null or event_id = $2) 
   and ($3::uuid[] is null or organization_id = any ($3::uuid[]))
 order by event_id
 limit 2
