--- include: room, presence, text
--[[
  The public state of a room.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
  Returns  { seq, now, waiting, away, floor, admitted, room fields…, { place, … } }
           the places are those at the ranks of rankMapRanks in the domain: every rank to 100, then 1 % apart, and the last
  Log      nothing
  Rules    L29 first and last rank are there, neighbours at most max(1, 1 %) apart: about 1,000 points for a million tickets
]]
local EVERY_RANK_TO = 100
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

local function place_at(rank)
  return call('ZRANGE', key.line, rank, rank, 'WITHSCORES')[2]
end

local waiting = call('ZCARD', key.line)
local places, rank = {}, 0
while rank < waiting - 1 do
  places[#places + 1] = place_at(rank)
  rank = rank + math.max(1, math.floor(rank / EVERY_RANK_TO))
end
if waiting > 0 then places[#places + 1] = place_at(waiting - 1) end

save_room(room)
local stored = call('HMGET', key.room, 'settings', 'message', 'held', 'opensAt', 'closesAt', 'joinsFrom', 'drawProgress',
  'drawnBelow', 'stock', 'heldSeats',
  'stockVersion')
return {
  room.seq, room.now, waiting, count_away(), call('ZCARD', key.floor), room.admitted, room.nextNumber,
  room.paused, room.trimmedSeq, room.logMax, room.taken, room.promised, stored, places,
}
