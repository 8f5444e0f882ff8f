-- Store the answers to retries under these keys.
-- Params   one element for each: $1 actor_ids uuid[], $2 keys text[], $3 status_codes int[], $4 answers text[]: JSON
-- Returns  nothing
update operations
   set status_code = given.status_code, answer = given.answer::json
  from unnest($1::uuid[], $2::text[], $3::int[], $4::text[]) as given (actor_id, key, status_code, answer)
 where operations.actor_id = given.actor_id and operations.key = given.key
