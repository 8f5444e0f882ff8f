--- include: room, ticket, pass
--[[
  Everyone on the floor, by deadline.

  Keys   those of the room, see includes/keys.lua
  Args   1 epoch, 2 seen_seq   what the caller knows of the room
         3 limit               most tickets to list
  Reply  a line for each: 'number state deadline fence reservedSeats'
  Cost   Redis does nothing else meanwhile: nothing is taken apart here that is not asked for
]]
-- So many arguments can be passed to one command.
local STEP = 1000
local limit = tonumber(ARGV[3])
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

-- Neighbours on the floor mostly drew their tickets one after the other: their records are fetched together.
local chunk, records = nil, nil
local function state_among_neighbours(number)
  if chunk ~= chunk_of(number) then
    chunk = chunk_of(number)
    records = call('GET', chunk_key(chunk))
  end
  local at = offset_of(number) + 1
  return STATES[string.sub(records, at, at)]
end

local found = call('ZRANGE', key.floor, 0, limit - 1, 'WITHSCORES')
local lines = {}
for first = 1, #found, 2 * STEP do
  local numbers = {}
  for i = first, math.min(first + 2 * STEP, #found) - 1, 2 do numbers[#numbers + 1] = whole(number_of(found[i])) end
  for i, stored in ipairs(call('HMGET', key.passes, unpack(numbers))) do
    local number, deadline = numbers[i], found[first + 2 * i - 1]
    local state = state_among_neighbours(tonumber(number))
    lines[#lines + 1] = number .. ' ' .. state .. ' ' .. deadline .. ' ' .. fence_and_seats(stored)
  end
end
return table.concat(lines, '\n')
