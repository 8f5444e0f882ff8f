--- include: keys, text
--[[
  What the room keeps of a ticket on the floor beside its deadline: the fence of its pass, the deadline it has without a
  reservation, the seats of its reservation (0: none) and the version of the seat map that told so, and which operation
  extended it (empty: none, or not known any more).
]]
-- Nil when the ticket is not on the floor.
local function read_pass(number)
  local stored = call('HGET', key.passes, number)
  if not stored then return nil end
  local fence, session_deadline, seats, version, extension = string.match(stored, '^(%d+) (%d+) (%d+) (%d+) (.*)$')
  return {
    fence = tonumber(fence), session_deadline = tonumber(session_deadline), reserved_seats = tonumber(seats),
    seats_version = tonumber(version), extension = extension,
  }
end

local function write_pass(number, pass)
  call('HSET', key.passes, number, string.format('%d %d %d %d %s', pass.fence, pass.session_deadline,
    pass.reserved_seats, pass.seats_version, pass.extension))
end

-- The same number as fenceOf in the domain: fences grow with every entry of the log, also over a rebuild (M11).
local function fence_of(epoch, seq)
  return epoch * 2 ^ 36 + seq
end
