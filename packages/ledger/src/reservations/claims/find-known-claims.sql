-- Which of these claims may have had an effect before: something is stored under their key, or their ticket reserved.
-- Params   one element for each claim: $1 actor_ids uuid[], $2 keys text[], $3 room_ids uuid[], $4 ticket_numbers bigint[]
-- Returns  the place of each such claim, from 1
-- Locks    nothing. What was committed before this statement began is seen
-- Plans    one look into each index for each claim, whatever the planner believes: see read-claims.sql
select place
  from unnest($1::uuid[], $2::text[], $3::uuid[], $4::bigint[])
       with ordinality as asked (actor_id, key, room_id, ticket_number, place)
 where exists (select from operations where actor_id = asked.actor_id and key = asked.key offset 0)
    or exists (
         select from reservations
          where room_id = asked.room_id and ticket_number = asked.ticket_number offset 0)
