-- End a room's epoch at what the ledger knows of it, and begin the next.
-- Params   $1 room_id uuid, $2 reason text, $3 unseen_max bigint: tickets the ended epoch may have drawn unseen
-- Returns  epoch, first_number: the next ticket number, beyond every number that may have been given out
-- Locks    nothing more: the caller holds the room's row
with known as (
  -- An epoch that ended before the first join still gave out numbers from its first one.
  select greatest(
           coalesce((select max(number) from queue_entries where room_id = $1::uuid), 0),
           coalesce((select max(first_number) - 1 from room_epochs where room_id = $1::uuid), 0)
         ) as mark
), ended as (
  update room_epochs
     set mark = known.mark
    from known
   where room_id = $1::uuid and room_epochs.mark is null
), raised as (
  update rooms
     set epoch = epoch + 1, first_index = first_index + seq, seq = 0
   where id = $1::uuid
  returning epoch, first_index
)
insert into room_epochs (room_id, epoch, reason, first_number, first_index)
select $1::uuid, raised.epoch, $2, known.mark + 1 + case when raised.epoch = 1 then 0 else $3::bigint end, raised.first_index
  from raised, known
returning epoch, first_number
