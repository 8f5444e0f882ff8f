--- include: keys
--[[
  Removes the keys of an epoch that is not the room's current one.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch
           2 batch   most ticket chunks one call may remove (bounds the time Redis is blocked)
  Returns  1 when there is more to remove, otherwise 0
  Log      nothing
  Rules    L24 the open room is not touched · L36 nothing of an old epoch is left
]]
if call('GET', key.epoch) == ARGV[1] then return 0 end

local batch = tonumber(ARGV[2])
for _, chunk in ipairs(call('HRANDFIELD', key.chunks, batch)) do
  call('UNLINK', key.tickets .. ':' .. chunk)
  call('HDEL', key.chunks, chunk)
end
if call('HLEN', key.chunks) > 0 then return 1 end
for name, value in pairs(key) do
  if name ~= 'epoch' and name ~= 'tickets' then call('UNLINK', value) end
end
return 0
