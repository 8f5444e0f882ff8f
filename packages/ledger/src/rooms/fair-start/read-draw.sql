-- The draw of a room: what its log tells of it, and what only the ledger stores.
-- Params   $1 room_id uuid
-- Returns  one row, or none when the log announced no draw: the latest announcement as `note` (JSON), the latest entries
--          that seal and reveal (JSON with epoch and seq, or null), and the row of that announcement's commitment
with told as (
  select distinct on (kind) kind, epoch, seq, body
    from room_log
   where room_id = $1::uuid and kind in ('draw', 'sealed', 'revealed')
   order by kind, epoch desc, seq desc
)
select draw.body as note,
       (select body || jsonb_build_object('epoch', epoch, 'seq', seq) from told where kind = 'sealed') as sealed,
       (select body from told where kind = 'revealed') as revealed,
       commitment, sealed_secret as "sealedSecret", sealed_with as "sealedWith",
       -- Another round was announced because the seal came too late for the one before.
       (select count(*) from room_log
         where room_id = $1::uuid and kind = 'draw'
           and (epoch, seq) > (select epoch, seq from told where kind = 'sealed')) as redraws,
       tree_size as "treeSize", tree_root as "treeRoot", signature
  from told as draw
  join room_draws on room_id = $1::uuid and commitment = draw.body ->> 'commitment'
 where draw.kind = 'draw'
