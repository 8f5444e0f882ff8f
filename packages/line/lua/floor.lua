--- include: room, ticket, pass
--[[
  Everyone on the floor, by deadline.

  Keys   those of the room, see includes/keys.lua
  Args   1 epoch, 2 seen_seq   what the caller knows of the room
         3 limit               most tickets to list
  Reply  { 'number state deadline fence reservedSeats', … }
]]
local limit = tonumber(ARGV[3])
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

local found = call('ZRANGE', key.floor, 0, limit - 1, 'WITHSCORES')
local items = {}
for i = 1, #found, 2 do
  local ticket = read_ticket(number_of(found[i]))
  local pass = read_pass(ticket.number)
  items[#items + 1] = table.concat({ ticket.number, STATES[ticket.state], found[i + 1], whole(pass.fence),
    pass.reserved_seats }, ' ')
end
return items
