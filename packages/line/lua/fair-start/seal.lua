--- include: room, presence
--[[
  Seals the line of a room with a draw, once its sale opens.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
  Returns  'status seq wait_ms': sealed, revealed, early (wait_ms until a seal is possible) or none (the room has no draw)
  Log      sealed, once
  Rules    J5 who is drawn · J10 after a loss the seal waits
]]
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

local function answer(status, wait_ms)
  save_room(room)
  return string.format('%s %d %d', status, room.seq, wait_ms)
end

if not room.drawProgress then return answer('none', 0) end
if room.drawProgress ~= 'announced' then return answer(room.drawProgress, 0) end
local wait_ms = math.max(room.opensAt, room.sealFrom or 0) - room.now
if wait_ms > 0 then return answer('early', wait_ms) end
room.drawProgress, room.drawnBelow = 'sealed', room.nextNumber
append(room, 'seal', string.format('sealed\t{"count":%d,"nextNumber":%d}', call('ZCARD', key.line) + count_away(),
  room.nextNumber))
return answer('sealed', 0)
