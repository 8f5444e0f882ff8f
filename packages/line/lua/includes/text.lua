--[[
  Numbers as text. Lua's own conversion writes 14 digits, enough for counters and times but not for places and fences,
  and it formats integers as fractions, which is slow.
]]
local function whole(number)
  return string.format('%d', number)
end

local function exact(number)
  return number % 1 == 0 and whole(number) or string.format('%.17g', number)
end
