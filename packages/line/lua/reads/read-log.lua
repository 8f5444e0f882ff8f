--- include: room
--[[
  The log after a seq, oldest first.

  Keys   those of the room, see includes/keys.lua
  Args   1 epoch, 2 seen_seq   what the caller knows of the room
         3 after_seq
         4 limit               most changes to return, unless the first step alone has more
  Reply  { seq before the first change, { stream entry, … } }; the caller drops changes up to after_seq and beyond the limit
  Holds  L18 gap-free. An entry's id is the seq of its last change, so the end of the range bounds the reply.
]]
local after_seq, limit = tonumber(ARGV[3]), tonumber(ARGV[4])
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

-- A step of many changes is trimmed as a whole or not at all: what was trimmed is not shown, though it may still be there.
local kept_from = tonumber(call('HGET', key.room, 'keptFrom') or 1)
local after = math.max(after_seq, kept_from - 1)
local function id(seq) return string.format('%d-%d', room.epoch, seq) end
local entries = call('XRANGE', key.log, '(' .. id(after), id(after + limit))
if #entries == 0 then entries = call('XRANGE', key.log, '(' .. id(after), '+', 'COUNT', 1) end
return { after, entries }
