--- include: loading
--[[
  Makes a loaded state the room's.

  Keys   those of the room, see includes/keys.lua
         20 room hash of the earlier epoch, whose clock goes on if it is still there
  Args   1 epoch
  Reply  'OK'; also when it was done before
  Holds  L18 the first entry says why the epoch began · L24 the epoch key is written last, never by an older epoch
         L26 everybody counts as seen now, the bucket is empty · L27 the clock does not go back
]]
if call('GET', key.epoch) == ARGV[1] then return 'OK' end
local room, lost = open_loading(ARGV[1])
if lost then return lost end

room.now = math.max(room.now, tonumber(call('HGET', KEYS[20], 'now') or 0))
room.loadedAt, room.refilledAt = room.now, room.now
append(room, 'load', table.concat({ 'opened', call('HGET', key.room, 'reason'), room.nextNumber,
  call('ZCARD', key.line), call('ZCARD', key.floor), call('HGET', key.room, 'rules') }, '\t'))
call('HDEL', key.room, 'rules')
save_room(room)
call('SET', key.epoch, ARGV[1])
return 'OK'
