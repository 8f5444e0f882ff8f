--- include: loading
--[[
  Adds used priority codes to a room being loaded.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, then codes
  Returns  'OK'
  Log      nothing
  Rules    L7 a code is good for one ticket · L24 a room becomes visible only as a whole
]]
local _, lost = open_loading(ARGV[1])
if lost then return lost end

for i = 2, #ARGV do call('SADD', key.codes, ARGV[i]) end
return 'OK'
