--- include: room, ticket, presence
--[[
  Marks tickets as seen.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           3 numbers             ticket numbers, between spaces
  Returns  { number of a ticket that came back, … }
  Log      back, one entry for all of them
  Rules    L15 seen · L16 back at its place
]]
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

-- Nearly all tickets wait and are present. For those only the time is written; the record is not read.
local seen = pack_seen(seen_now(room))
local back, ranks = {}, {}
for digits in string.gmatch(ARGV[3], '%d+') do
  local number = tonumber(digits)
  local state = state_of(number)
  if state == 'W' then
    write_packed_seen(number, seen)
  elseif state == 'Y' then
    ranks[#ranks + 1] = bring_back(room, read_ticket(number))
    back[#back + 1] = number
  elseif state == 'G' then
    local ticket = ticket_behind(read_ticket(number))
    if ticket.state == 'Y' then
      ranks[#ranks + 1] = bring_back(room, ticket)
      back[#back + 1] = ticket.number
    elseif ticket.state == 'W' then
      write_packed_seen(ticket.number, seen)
    end
  end
end
if #back > 0 then append_many(room, 'heartbeat', 'back', back, ranks) end
save_room(room)
return back
