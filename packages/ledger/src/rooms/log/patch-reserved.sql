-- Store the seats that tickets on the floor have reserved, and their deadlines.
-- Params   $1 room_id uuid; one element for each ticket: $2 numbers bigint[], $3 reserved_seats int[], $4 deadlines
--          bigint[] in milliseconds
-- Returns  number of each ticket changed: fewer than asked means that the ledger lacks a ticket it should have
-- Plans    as patch-entries.sql, which handles all other changes and takes three times as long
with reserved as materialized (
  select $1::uuid as room_id, *
    from unnest($2::bigint[], $3::int[], $4::bigint[]) as reserved (number, seats, deadline)
)
update queue_entries as entry
   set reserved_seats = reserved.seats,
       deadline = timestamptz 'epoch' + reserved.deadline * interval '1 millisecond'
  from reserved
 where entry.room_id = reserved.room_id and entry.number = reserved.number
returning entry.number
