--- include: room
--[[
  Reads the log after a seq, oldest first.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           3 after_seq
           4 limit               most changes to return, unless the first step alone has more
  Returns  { seq before the first change, { stream entry, … } }; the caller drops changes up to after_seq and beyond the limit
  Log      nothing
  Rules    L18 gap-free. A stream entry's id is the seq of its last change, so the end of the range bounds the reply.
           L22 trimmed entries are not shown
]]
local after_seq, limit = tonumber(ARGV[3]), tonumber(ARGV[4])
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

-- The stream keeps a step of many changes until all of them are trimmed. Those already trimmed are not shown.
local kept_from = tonumber(call('HGET', key.room, 'keptFrom') or 1)
local after = math.max(after_seq, kept_from - 1)
local function id(seq) return string.format('%d-%d', room.epoch, seq) end
local entries = call('XRANGE', key.log, '(' .. id(after), id(after + limit))
if #entries == 0 then entries = call('XRANGE', key.log, '(' .. id(after), '+', 'COUNT', 1) end
return { after, entries }
