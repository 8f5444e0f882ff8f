-- Change a room's settings; two operators who change different settings at once both succeed.
-- Params   $1 room_id uuid, $2 changed settings jsonb, $3 paused boolean or null, $4 whether the message changes boolean,
--          $5 message text or null
-- Returns  nothing
update rooms
   set settings = settings || $2::jsonb,
       paused = coalesce($3::boolean, paused),
       message = case when $4::boolean then $5 else message end,
       updated_at = now()
 where id = $1::uuid
