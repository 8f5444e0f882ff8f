--- include: keys, room, ticket, text
--[[
  Deadlines on the floor, for steps that look at many tickets. A step that fetches them must change them through set_deadline.
]]
-- Deadlines that this step has fetched or set, by number.
local known_deadlines = {}
-- Whether no ticket on the floor is overdue, found by fetch_deadlines.
local is_none_overdue = false

-- Called before is_overdue of many tickets. Usually none is overdue, and one count tells; otherwise all deadlines are read
-- together. `numbers` as text.
local function fetch_deadlines(room, numbers)
  is_none_overdue = call('ZCOUNT', key.floor, '-inf', room.now) == 0
  if is_none_overdue then return end
  local members = {}
  for i, number in ipairs(numbers) do members[i] = member_of(tonumber(number)) end
  for i, deadline in ipairs(call('ZMSCORE', key.floor, unpack(members))) do
    known_deadlines[tonumber(numbers[i])] = deadline and tonumber(deadline)
  end
end

-- The deadline of a ticket on the floor, in ms.
local function deadline_of(number)
  return known_deadlines[number] or tonumber(call('ZSCORE', key.floor, member_of(number)))
end

local function is_overdue(room, number)
  return not (is_none_overdue and known_deadlines[number] == nil) and deadline_of(number) <= room.now
end

-- For this step; write_deadlines stores it.
local function set_deadline(number, deadline)
  known_deadlines[number] = deadline
end

local function write_deadlines(numbers)
  local scores = {}
  for i, number in ipairs(numbers) do
    scores[2 * i - 1], scores[2 * i] = whole(known_deadlines[number]), member_of(number)
  end
  write_many('ZADD', key.floor, scores)
end
