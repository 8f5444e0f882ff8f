--- include: loading
--[[
  Adds used priority codes to a room being loaded.

  Keys   those of the room, see includes/keys.lua
  Args   1 epoch, then codes
  Reply  'OK'
  Holds  L24 nothing of it is visible before the whole is
]]
local _, lost = open_loading(ARGV[1])
if lost then return lost end

for i = 2, #ARGV do call('SADD', key.codes, ARGV[i]) end
return 'OK'
