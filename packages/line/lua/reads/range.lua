--- include: room, ticket
--[[
  Lists tickets by rank, both ends inclusive.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           3 from_rank, 4 to_rank   at most 200 ranks
  Returns  { { number, place, class, name and avatar or nil }, … } in order of rank
  Log      nothing
  Rules    L30 in order, with names only of visitors who agreed
]]
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

local found = call('ZRANGE', key.line, ARGV[3], ARGV[4], 'WITHSCORES')
local items = {}
for i = 1, #found, 2 do
  local ticket = read_ticket(number_of(found[i]))
  items[#items + 1] = { ticket.number, found[i + 1], ticket.class, call('HGET', key.shown, ticket.number) }
end
return items
