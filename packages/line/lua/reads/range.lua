--- include: room, ticket
--[[
  Tickets by rank, both ends inclusive.

  Keys   those of the room, see includes/keys.lua
  Args   1 epoch, 2 seen_seq   what the caller knows of the room
         3 from_rank, 4 to_rank   at most 200 ranks
  Reply  { number, place, class, name and avatar or nil, … } in order of rank
  Holds  L30 in order, with names only of those who agreed
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
