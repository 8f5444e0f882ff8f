-- Rooms in which a guest has a live ticket, or stands with one of another visitor.
-- Params   $1 identity text, $2 result_max int
-- Returns  "roomId"
select room_id as "roomId"
  from queue_entries
 where identity = $1 and user_id is null and state in ('waiting', 'admitted', 'active')
 union
select room_id
  from queue_entries as member
 where identity = $1 and user_id is null and stands_with is not null
   and exists (select
                 from queue_entries
                where room_id = member.room_id and number = member.stands_with
                  and state in ('waiting', 'admitted', 'active'))
 limit $2
