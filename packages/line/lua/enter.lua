--- include: room, ticket, act, pass, view
--[[
  Makes admitted tickets active.

  Keys   those of the room, see includes/keys.lua
  Args   1 epoch, 2 seen_seq   what the caller knows of the room
         then for each request: number, identity, generation
  Reply  { answer, … }: 'active' or 'not_admitted' and a view, or 'moved' or 'unknown' and seq
  Holds  M8 not after the deadline · M10 again gives the same fence and deadline · L10, L11 who may act
]]
local REQUEST_ARGS = 3
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

-- A reservation's deadline stays; otherwise the session's begins.
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
