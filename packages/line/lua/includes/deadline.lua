--- include: keys, room, ticket, text
--[[
  Deadlines on the floor, for steps that look at many tickets. Whoever fetches them changes them here only.
]]
local known_deadlines = {}

-- Reads the deadlines of many tickets together. `numbers` as text.
local function fetch_deadlines(numbers)
  local members = {}
  for i, number in ipairs(numbers) do members[i] = member_of(tonumber(number)) end
  for i, deadline in ipairs(call('ZMSCORE', key.floor, unpack(members))) do
    known_deadlines[tonumber(numbers[i])] = deadline and tonumber(deadline)
  end
end

-- Of a ticket on the floor, in ms.
local function deadline_of(number)
  return known_deadlines[number] or tonumber(call('ZSCORE', key.floor, member_of(number)))
end

-- Known to this step; write_deadlines tells the others.
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
