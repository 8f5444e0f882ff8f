--- include: keys
--[[
  Stores the answers of the last operations of a kind, so that a repeated operation acts once (L33).
]]
local REMEMBERED = 32

local function remembered(kind, operation)
  return call('HGET', key.operations, kind .. ':' .. operation)
end

-- `count` is the number of earlier operations of this kind; the answer replaces that of the oldest.
local function remember(kind, operation, answer, count)
  local slot = kind .. '#' .. count % REMEMBERED
  local oldest = call('HGET', key.operations, slot)
  if oldest then call('HDEL', key.operations, kind .. ':' .. oldest) end
  call('HSET', key.operations, slot, operation, kind .. ':' .. operation, answer)
end
