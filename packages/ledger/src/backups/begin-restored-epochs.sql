-- Begin a later epoch in every room that had one, after a restore: what came after the backup is not in the ledger.
-- Params   $1 skipped int: epochs that may have begun since the backup, $2 unseen_max bigint: tickets that may have been drawn
-- Returns  a row for each room
-- Locks    the rows of the rooms; no server has the ledger open
with known as (
  select rooms.id as room_id,
         greatest(
           coalesce((select max(number) from queue_entries where queue_entries.room_id = rooms.id), 0),
           coalesce((select max(first_number) - 1 from room_epochs where room_epochs.room_id = rooms.id), 0)
         ) as mark
    from rooms
   where rooms.epoch > 0
), ended as (
  update room_epochs
     set mark = known.mark
    from known
   where room_epochs.room_id = known.room_id and room_epochs.mark is null
), raised as (
  update rooms
     set epoch = epoch + $1::int, first_index = first_index + seq, seq = 0
   where epoch > 0
  returning id, epoch, first_index
)
insert into room_epochs (room_id, epoch, reason, first_number, first_index)
select raised.id, raised.epoch, 'restored', known.mark + 1 + $2::bigint, raised.first_index
  from raised
  join known on known.room_id = raised.id
returning room_id
