-- Visitors who stand with live tickets of a room, after those tickets were read.
-- Params   $1 room_id uuid
-- Returns  one row per visitor by ascending number, as read-live-tickets.sql, with the ticket: "standsWith"
-- Plan     through the index of groups, which has only these rows
select member.number, member.identity, member.class, member.place, member.generation, 'waiting' as state, false as away,
       null::bigint as fence, false as extended, 0 as "reservedSeats", member.limit_key as "limitKey", member.shown,
       (extract(epoch from member.joined_at) * 1000)::bigint as "joinedAt", null::bigint as deadline,
       null::bigint as "sessionEnd", member.stands_with as "standsWith"
  from queue_entries as member
  join queue_entries as entry on entry.room_id = member.room_id and entry.number = member.stands_with
 where member.room_id = $1::uuid and member.stands_with is not null
   and entry.state not in ('completed', 'expired')
 order by member.number
