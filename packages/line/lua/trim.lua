--- include: room, ticket
--[[
  Forgets the log before a seq, and tickets that ended up to there: the ledger has them now.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           3 up_to_seq           the ledger has everything up to here; this entry itself stays
           4 batch               most tickets one call may forget (bounds the time Redis is blocked)
           5 keep                how many entries before it stay, too
  Returns  1 when there is more to forget, otherwise 0
  Log      nothing
  Rules    L22 a forgotten ticket is unknown · M19 following makes progress
]]
local batch, keep = tonumber(ARGV[4]), tonumber(ARGV[5])
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end
local up_to_seq = math.min(tonumber(ARGV[3]), room.seq)

local function forget(number)
  local ticket = read_ticket(number)
  local identity = identity_key(ticket.identity)
  local latest = call('HGET', key.identities, identity)
  if latest and number_of(latest) == number then call('HDEL', key.identities, identity) end
  call('HDEL', key.moves, number)
  local chunk = chunk_of(number)
  if call('HINCRBY', key.chunks, chunk, -1) == 0 then
    call('HDEL', key.chunks, chunk)
    call('ZREM', key.oldest_waiting, chunk)
    call('ZREM', key.oldest_away, chunk)
    call('UNLINK', chunk_key(chunk))
  else
    call('SETRANGE', chunk_key(chunk), offset_of(number), string.rep('\0', RECORD_BYTES))
  end
end

if up_to_seq > room.trimmedSeq then
  room.trimmedSeq, room.unfollowedSince = up_to_seq, room.now
end
-- Also without news from the ledger, or after another caller's newer news: a caller may keep less than the one before.
local kept_from = math.max(tonumber(call('HGET', key.room, 'keptFrom') or 1), up_to_seq - keep)
call('HSET', key.room, 'keptFrom', kept_from)
call('XTRIM', key.log, 'MINID', string.format('%d-%d', room.epoch, kept_from))
local members = call('ZRANGEBYSCORE', key.ended, '-inf', room.trimmedSeq, 'LIMIT', 0, batch)
for _, member in ipairs(members) do forget(number_of(member)) end
if #members > 0 then call('ZREM', key.ended, unpack(members)) end
save_room(room)
return #members == batch and 1 or 0
