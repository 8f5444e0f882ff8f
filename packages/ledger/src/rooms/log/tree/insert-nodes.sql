-- Store subtrees that became full.
-- Params   $1 room_id uuid, one element for each: $2 levels int[], $3 positions bigint[], $4 hashes bytea, 32 bytes each
-- Returns  nothing; the caller holds the lock of the room's row
insert into log_nodes (room_id, level, position, hash)
select $1::uuid, node.level, node.position, substring($4::bytea from (node.place::int - 1) * 32 + 1 for 32)
  from unnest($2::int[], $3::bigint[]) with ordinality as node (level, position, place)
