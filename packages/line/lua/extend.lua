--- include: room, ticket, act, pass, view
--[[
  Gives tickets on the floor more time, once for each ticket.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           then for each request: number, identity, generation, by_ms, operation
  Returns  { answer, … }: 'extended', 'already_extended' or 'not_on_floor' and a view, or 'moved' or 'unknown' and seq
  Log      extended, once for each ticket
  Rules    M13 once for each ticket; the same operation again answers the same · L10 generation · L11 identity
]]
local REQUEST_ARGS = 5
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

local function extend(ticket, by_ms, operation)
  if not is_on_floor(ticket) then return 'not_on_floor ' end
  local pass = read_pass(ticket.number)
  if ticket.extended then return pass.extension == operation and 'extended ' or 'already_extended ' end
  local member = member_of(ticket.number)
  local deadline = call('ZSCORE', key.floor, member) + by_ms
  call('ZADD', key.floor, deadline, member)
  pass.session_deadline, pass.extension = pass.session_deadline + by_ms, operation
  write_pass(ticket.number, pass)
  ticket.extended = true
  write_ticket(ticket)
  append(room, operation, 'extended\t' .. ticket.number .. '\t' .. deadline .. '\t' .. whole(pass.session_deadline))
  return 'extended '
end

local answers = {}
for i = 3, #ARGV, REQUEST_ARGS do
  local operation = ARGV[i + 4]
  local ticket, refusal = ticket_to_act_on(room, tonumber(ARGV[i]), ARGV[i + 1], tonumber(ARGV[i + 2]), operation)
  answers[#answers + 1] = refusal or extend(ticket, tonumber(ARGV[i + 3]), operation) .. view(room, ticket)
end
save_room(room)
return answers
