--- include: room
--[[
  The token bucket of admissions, in units of 1/60,000 token: a millisecond adds ratePerMinute units, so no fraction is lost
  (M2). It is refilled when it is read; the room stores the level at `refilledAt`.
]]
local TOKEN = 60000

local function refill_bucket(room)
  local filled = room.level + (room.now - room.refilledAt) * room.ratePerMinute
  room.level = math.min(room.burst * TOKEN, filled)
  room.refilledAt = room.now
end

local function tokens(room)
  return math.floor(room.level / TOKEN)
end

local function next_token_at(room)
  return room.now + math.ceil(math.max(0, TOKEN - room.level) / room.ratePerMinute)
end
