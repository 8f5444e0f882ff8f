--- include: room, ticket, expire, presence
--[[
  Marks tickets as seen.

  Keys   those of the room, see includes/keys.lua
  Args   1 epoch, 2 seen_seq   what the caller knows of the room
         3 numbers             of tickets, between spaces
  Reply  { number of a ticket that came back, … }
  Holds  L15 counts as seen · L16 back at its place within the grace time · L17 otherwise no_show
]]
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

-- Nearly all wait and are present: of those only the time is written, and the record is not even read.
local seen = pack_seen(seen_now(room))
local back = {}
for digits in string.gmatch(ARGV[3], '%d+') do
  local number = tonumber(digits)
  if state_of(number) == 'W' then
    write_packed_seen(number, seen)
  else
    local ticket = read_ticket(number)
    if ticket then
      expire_if_away_too_long(room, ticket, 'heartbeat')
      if see(room, ticket, 'heartbeat') then back[#back + 1] = number end
    end
  end
end
save_room(room)
return back
