-- Store which tickets went away or came back.
-- Params   $1 room_id uuid; one element for each ticket: $2 numbers bigint[], $3 away boolean[]
-- Returns  number of each ticket changed: fewer than asked means that the ledger lacks a ticket it should have
-- Plans    as patch-entries.sql, which handles all other changes and takes three times as long
with changed as materialized (
  select $1::uuid as room_id, *
    from unnest($2::bigint[], $3::boolean[]) as changed (number, away)
)
update queue_entries as entry
   set away = changed.away
  from changed
 where entry.room_id = changed.room_id and entry.number = changed.number
returning entry.number
