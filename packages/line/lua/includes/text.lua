--[[
  Numbers as text. Lua itself writes 14 digits, which is enough for counters and times but not for places and fences;
  and it writes integers as if they were fractions, which is slow.
]]
local function whole(number)
  return string.format('%d', number)
end

local function exact(number)
  return number % 1 == 0 and whole(number) or string.format('%.17g', number)
end
