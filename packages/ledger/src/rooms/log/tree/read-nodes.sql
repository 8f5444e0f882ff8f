-- Stored subtrees of a room's log.
-- Params   $1 room_id uuid, one element for each: $2 levels int[], $3 positions bigint[]
-- Returns  level, position, hash; no row for one that is not full
select log_nodes.level, log_nodes.position, log_nodes.hash
  from unnest($2::int[], $3::bigint[]) as wanted (level, position)
  join log_nodes on log_nodes.room_id = $1::uuid and log_nodes.level = wanted.level
                and log_nodes.position = wanted.position
