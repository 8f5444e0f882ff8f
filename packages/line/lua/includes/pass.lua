--- include: keys, text
--[[
  What the room keeps of a ticket on the floor beside its deadline: the fence of its pass, the deadline it has without a
  reservation, and which operation extended it (empty: none, or not known any more).
]]
local function read_pass(number)
  local fence, session_deadline, extension = string.match(call('HGET', key.passes, number), '^(%d+) (%d+) (.*)$')
  return { fence = tonumber(fence), session_deadline = tonumber(session_deadline), extension = extension }
end

local function write_pass(number, pass)
  local text = whole(pass.fence) .. ' ' .. whole(pass.session_deadline) .. ' ' .. pass.extension
  call('HSET', key.passes, number, text)
end

-- The same number as fenceOf in the domain: fences grow with every entry of the log, also over a rebuild (M11).
local function fence_of(epoch, seq)
  return epoch * 2 ^ 36 + seq
end
