--- include: room, ticket, settle, presence
--[[
  Marks tickets as seen.

  Keys   those of the room, see includes/keys.lua
  Args   1 epoch, 2 seen_seq   what the caller knows of the room
         then ticket numbers
  Reply  { number of a ticket that came back, … }
  Holds  L15 counts as seen · L16 back at its place within the grace time · L17 otherwise no_show
]]
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

local back = {}
for i = 3, #ARGV do
  local ticket = read_ticket(tonumber(ARGV[i]))
  if ticket then
    settle_away(room, ticket, 'heartbeat')
    if see(room, ticket, 'heartbeat') then back[#back + 1] = ticket.number end
  end
end
save_room(room)
return back
