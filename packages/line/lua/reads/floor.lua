--- include: room, ticket, pass
--[[
  Lists the tickets on the floor, by deadline.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           3 limit               most tickets to list
  Returns  a line for each: 'number state deadline fence reservedSeats'
  Log      nothing
  Rules    M27 complete up to the limit, earliest deadline first
  Cost     Redis is blocked meanwhile, so records and passes are not unpacked: only the listed fields are cut out
]]
-- Lua can pass some thousand arguments to one command.
local STEP = 1000
local limit = tonumber(ARGV[3])
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

-- Neighbours on the floor mostly have neighbouring numbers, so the chunk with their records is fetched once for all of them.
local chunk, records = nil, nil
local function state_in_chunk(number)
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
    local state = state_in_chunk(tonumber(number))
    lines[#lines + 1] = number .. ' ' .. state .. ' ' .. deadline .. ' ' .. fence_and_seats(stored)
  end
end
return table.concat(lines, '\n')
