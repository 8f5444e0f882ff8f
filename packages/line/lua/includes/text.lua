--[[
  Numbers as text. Lua writes 14 digits by itself, which is enough for counters and times but not for places and fences.
]]
local function exact(number)
  return string.format('%.17g', number)
end

local function whole(number)
  return string.format('%.0f', number)
end
