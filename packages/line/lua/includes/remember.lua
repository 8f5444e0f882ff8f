--- include: keys
--[[
  Answers of the last operations of a kind, so that a repeated one acts once (L33).
]]
local REMEMBERED = 32

local function remembered(kind, operation)
  return call('HGET', key.operations, kind .. ':' .. operation)
end

-- `count` tells how many operations of this kind there were before.
local function remember(kind, operation, answer, count)
  local slot = kind .. '#' .. count % REMEMBERED
  local oldest = call('HGET', key.operations, slot)
  if oldest then call('HDEL', key.operations, kind .. ':' .. oldest) end
  call('HSET', key.operations, slot, operation, kind .. ':' .. operation, answer)
end
