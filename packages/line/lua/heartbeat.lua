--- include: room, ticket, expire, presence
--[[
  Marks tickets as seen.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           3 numbers             ticket numbers, between spaces
  Returns  { number of a ticket that came back, … }
  Log      back or expired, for away tickets
  Rules    L15 seen · L16 back at its place within the grace time · L17 otherwise no_show
]]
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

-- Nearly all tickets wait and are present. For those only the time is written; the record is not read.
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
