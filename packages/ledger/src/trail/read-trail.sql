-- A page of what operators did, newest first.
-- Params   $1 event_id uuid or null, $2 room_id uuid or null (either one, or neither for everything), $3 before this id bigint or null,
--          $4 result_max int
-- Returns  the actions with the operator's name, and the action that undid each
select action.id, action.at, action.actor_id as "actorId", coalesce(users.name, api_keys.name) as "actorName", users.role as "actorRole",
       action.event_id as "eventId", action.room_id as "roomId", action.kind, action.subject, action.before, action.after,
       action.undoes, undoing.id as "undoneBy"
  from operator_actions as action
  left join users on users.id = action.actor_id
  -- A program's acts are its key's.
  left join api_keys on api_keys.id = action.actor_id
  left join operator_actions as undoing on undoing.undoes = action.id
 where (($1::uuid is null and $2::uuid is null) or action.event_id = $1::uuid or action.room_id = $2::uuid)
   and ($3::bigint is null or action.id < $3::bigint)
 order by action.id desc
 limit $4
