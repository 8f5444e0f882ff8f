--- include: room, ticket, text
--[[
  Chooses the place of a new ticket. The same arithmetic as place.ts in the domain, so that both stores agree
  (L12 skipping · L13 order within a class · L14 lanes).
]]
local SLIVERS, LANE_SPAN = 65536, 2 ^ 40
local SKIP_KEEPS_TENTHS = { [1] = 9, [2] = 5, [3] = 0 }

-- The place at a rank of the line, or nil.
local function place_at(rank)
  return tonumber(call('ZRANGE', key.line, rank, rank, 'WITHSCORES')[2])
end

-- Between the last ticket of the class and the next ticket behind it; at the back when there is none.
local function place_just_behind(last, number)
  local found = call('ZRANGEBYSCORE', key.line, '(' .. exact(last), '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  local next = tonumber(found[2])
  return next and last + (next - last) / SLIVERS or number
end

local function place_by_lane(class, number, last)
  local place = number - class * LANE_SPAN
  return place > last and place or place_just_behind(last, number)
end

local function place_by_skipping(class, number, last)
  local rank = math.floor(call('ZCARD', key.line) * SKIP_KEEPS_TENTHS[class] / 10)
  local passed = place_at(rank)
  if not passed then return number end
  local low = rank > 0 and place_at(rank - 1) or passed - 1
  if low <= last then return place_just_behind(last, number) end
  return low + (passed - low) / 2
end

local LAST_PLACE = { [0] = 'lastPlace0', 'lastPlace1', 'lastPlace2', 'lastPlace3' }

local function note_place(room, class, place)
  local field = LAST_PLACE[class]
  if place > room[field] then room[field] = place end
end

-- The place of a new ticket, never before an earlier ticket of the same class.
local function choose_place(room, class, number)
  -- Before the draw, places say nothing yet.
  if class == 0 or is_undrawn(room) then return number end
  local last = room[LAST_PLACE[class]]
  if room.priorityMode == 'lanes' then return place_by_lane(class, number, last) end
  return place_by_skipping(class, number, last)
end
