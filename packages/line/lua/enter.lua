--- include: room, ticket, act, pass, view
--[[
  Makes admitted tickets active: the visitor steps onto the floor, and the session begins.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           then for each request: number, identity, generation
  Returns  { answer, … }: 'active' or 'not_admitted' and a view, or 'moved' or 'unknown' and seq
  Log      entered, once for each ticket
  Rules    M8 not after the deadline · M10 again gives the same fence and deadline · M14 a reservation's deadline stays
           L10 generation · L11 identity
]]
local REQUEST_ARGS = 3
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

-- The session's deadline applies unless the ticket has a reservation, which has a deadline of its own.
local function activate(ticket)
  local member = member_of(ticket.number)
  local pass = read_pass(ticket.number)
  pass.session_deadline = room.now + room.sessionSeconds * 1000
  write_pass(ticket.number, pass)
  if pass.reserved_seats == 0 then call('ZADD', key.floor, pass.session_deadline, member) end
  ticket.state = 'C'
  write_ticket(ticket)
  room.admitted = room.admitted - 1
  append(room, 'enter', 'entered\t' .. ticket.number .. '\t' .. whole(pass.session_deadline))
end

local answers = {}
for i = 3, #ARGV, REQUEST_ARGS do
  local ticket, refusal = ticket_to_act_on(room, tonumber(ARGV[i]), ARGV[i + 1], tonumber(ARGV[i + 2]), 'enter')
  if ticket and ticket.state == 'A' then activate(ticket) end
  answers[#answers + 1] = refusal or (ticket.state == 'C' and 'active ' or 'not_admitted ') .. view(room, ticket)
end
save_room(room)
return answers
