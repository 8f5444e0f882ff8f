--- include: room, ticket, expire, presence, view
--[[
  Answers with the state and position of tickets.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           then for each question: number, identity, generation, heartbeat ('1' or '0')
  Returns  { view, … }
  Log      expired, for an overdue ticket; back, for an away ticket with a heartbeat
  Rules    L11 another identity's ticket is unknown · L15 a heartbeat marks a ticket as seen · L16 and brings it back
           L28 ranks · L32 overdue tickets expire first. A heartbeat with an older generation does not count.
]]
local QUESTION_ARGS = 4
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

local views = {}
for i = 3, #ARGV, QUESTION_ARGS do
  local number, generation = tonumber(ARGV[i]), tonumber(ARGV[i + 2])
  local ticket = ticket_of(number, ARGV[i + 1])
  if ticket then
    expire_if_overdue(room, ticket, 'look')
    local is_heartbeat = ARGV[i + 3] == '1' and generation >= own_of(ticket).generation
    local is_back = is_heartbeat and see(room, ticket, 'look')
    views[#views + 1] = view(room, ticket, is_back)
  else
    views[#views + 1] = unknown_view(room, number)
  end
end
save_room(room)
return views
