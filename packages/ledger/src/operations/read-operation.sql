-- What took effect under a key of an account or guest.
-- Params   $1 actor_id uuid, $2 key text, $3 fingerprint text or null
-- Returns  at most one row: actorId, fingerprint, statusCode and answer, or nulls while it is not decided
-- Keys     that account and guest both used are both kept (see adopt-guest.ts): the one with that fingerprint is found,
--          else the account's own
select actor_id as "actorId", fingerprint, status_code as "statusCode", answer
  from operations
 where key = $2
   and actor_id = any (array(select $1::uuid union all select guest_id from adoptions where user_id = $1::uuid))
 order by fingerprint is not distinct from $3::text desc, actor_id = $1::uuid desc
 limit 1
