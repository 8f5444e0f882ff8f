-- Tickets of a room by number.
-- Params   $1 room_id uuid, $2 numbers bigint[]
-- Returns  one row per ticket the ledger has
select number, identity, class, place, state, reason, away, generation, extended, name, avatar,
       stands_with as "standsWith", left_identity as "leftIdentity",
       (extract(epoch from joined_at) * 1000)::bigint as "joinedAt"
  from queue_entries
 where room_id = $1::uuid and number = any ($2::bigint[])
