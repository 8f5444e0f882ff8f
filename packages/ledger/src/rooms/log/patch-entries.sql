-- Change tickets the ledger already has; what a patch does not mention stays as it is.
-- Params   $1 room_id uuid, $2 patches text: a JSON list of {number, …changed columns}, times in milliseconds;
--          `stands_with` 0 means: with no other ticket any more; `is_vacant`: its visitor has left the group;
--          `follow_session` makes the session's end the deadline, unless the ticket has a reservation
-- Returns  number of each ticket changed: fewer than asked means that the ledger lacks a ticket it should have
-- Plans    one look into the key for each ticket: the room is hidden from the planner, which has no statistics of a table
--          that grows by the second and would read the whole room instead; lock-room.sql disables its other plans
with patch as materialized (
  select $1::uuid as room_id, *
    from json_to_recordset($2::json) as patch (
      number bigint, identity text, class smallint, place double precision, code text, earlier_codes text[], user_id uuid,
      free_of_limit boolean, state text, reason text, away boolean, generation integer, fence bigint, extended boolean, reserved_seats integer, admitted_at bigint, entered_at bigint,
      session_end bigint, deadline bigint, follow_session boolean, ended_at bigint,
      stands_with bigint, is_vacant boolean
    )
)
update queue_entries as entry
   set identity    = case when patch.is_vacant then '!' || entry.number else coalesce(patch.identity, entry.identity) end,
       left_identity = case when patch.is_vacant then coalesce(patch.identity, entry.identity) else entry.left_identity end,
       stands_with = nullif(coalesce(patch.stands_with, entry.stands_with), 0),
       guest_id    = case when patch.is_vacant then null else entry.guest_id end,
       class       = coalesce(patch.class, entry.class),
       place       = coalesce(patch.place, entry.place),
       code        = coalesce(patch.code, entry.code),
       earlier_codes = case when patch.code is null then entry.earlier_codes
                            else array_remove(
                                   coalesce(entry.earlier_codes, '{}') || entry.code || coalesce(patch.earlier_codes, '{}'),
                                   null
                                 )
                       end,
       user_id     = case when patch.is_vacant then null else coalesce(patch.user_id, entry.user_id) end,
       limit_key   = case when patch.free_of_limit then null else entry.limit_key end,
       state       = coalesce(patch.state, entry.state),
       reason      = coalesce(patch.reason, entry.reason),
       away        = coalesce(patch.away, entry.away),
       generation  = coalesce(patch.generation, entry.generation),
       fence       = coalesce(patch.fence, entry.fence),
       extended    = coalesce(patch.extended, entry.extended),
       reserved_seats = coalesce(patch.reserved_seats, entry.reserved_seats),
       admitted_at = coalesce(timestamptz 'epoch' + patch.admitted_at * interval '1 millisecond', entry.admitted_at),
       entered_at  = coalesce(timestamptz 'epoch' + patch.entered_at * interval '1 millisecond', entry.entered_at),
       session_end = coalesce(timestamptz 'epoch' + patch.session_end * interval '1 millisecond', entry.session_end),
       deadline    = case when patch.deadline is not null
                            then timestamptz 'epoch' + patch.deadline * interval '1 millisecond'
                          when patch.follow_session and coalesce(patch.reserved_seats, entry.reserved_seats) = 0
                            then coalesce(
                                   timestamptz 'epoch' + patch.session_end * interval '1 millisecond', entry.session_end
                                 )
                          else entry.deadline
                     end,
       ended_at    = coalesce(timestamptz 'epoch' + patch.ended_at * interval '1 millisecond', entry.ended_at)
  from patch
 where entry.room_id = patch.room_id and entry.number = patch.number
returning entry.number
