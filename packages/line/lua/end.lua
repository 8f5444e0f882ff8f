--- include: room, ticket, act, expire, end-ticket, group, view
--[[
  Ends tickets: the visitor leaves or completes, the buyer has paid, or an operator terminates.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           then for each request: number, identity, generation, how it ends (a key of ENDS), operation
  Returns  { answer, … }: 'ended', 'was_ended' or 'not_on_floor' and a view, or 'moved' or 'unknown' and seq
  Log      completed or expired, once for each ticket; grouped when others stay
  Rules    L9 leaving twice is leaving once · L10 generation · L11 identity · L52 termination and payment check neither
           L152 who leaves a group leaves the place to the others
           M12 the slot is free in the same step
]]
local REQUEST_ARGS = 5
local ENDS = { completed = 'D', paid = 'D', cancelled = 'c', terminated = 'x', sold_out = 's', timeout = 't' }
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

-- An operator and the box office act on a ticket without being its holder.
local function ticket_without_holder(number, operation)
  local known = read_ticket(number)
  if not known then return nil, 'unknown ' .. room.seq end
  local ticket = ticket_behind(known)
  expire_if_overdue(room, ticket, operation)
  return ticket
end

local function end_once(ticket, how, operation)
  if not is_live(ticket) then return 'was_ended ' .. view(room, ticket) end
  if ENDS[how] == 'D' and not is_on_floor(ticket) then return 'not_on_floor ' .. view(room, ticket) end
  if how == 'cancelled' and people_of(ticket) > 1 then
    return 'ended ' .. view(room, leave_group(room, ticket, operation))
  end
  end_ticket(room, ticket, ENDS[how], operation)
  return 'ended ' .. view(room, ticket)
end

local answers = {}
for i = 3, #ARGV, REQUEST_ARGS do
  local number, how, operation = tonumber(ARGV[i]), ARGV[i + 3], ARGV[i + 4]
  local ticket, refusal
  if how == 'terminated' or how == 'paid' then
    ticket, refusal = ticket_without_holder(number, operation)
  else
    ticket, refusal = ticket_to_act_on(room, number, ARGV[i + 1], tonumber(ARGV[i + 2]), operation)
  end
  answers[#answers + 1] = refusal or end_once(ticket, how, operation)
end
save_room(room)
return answers
