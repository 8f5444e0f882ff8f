-- When the sessions end in which some reservations were made, as far as the log was followed.
-- Params   $1 reservation_ids uuid[]
-- Returns  id, sessionEnd: a row for each reservation of a ticket that has entered the floor
select reservations.id, entry.session_end as "sessionEnd"
  from unnest($1::uuid[]) as wanted (id)
  join reservations on reservations.id = wanted.id
  join queue_entries as entry on entry.room_id = reservations.room_id and entry.number = reservations.ticket_number
 where entry.session_end is not null
