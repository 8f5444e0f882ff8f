--- include: room, ticket, pass
--[[
  Tells whether passes are valid. Changes nothing: an overdue ticket is left to the next admission.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           then for each pass: number, fence
  Returns  { answer, … }: 'counts number generation deadline reservedSeats seq identity people' or 'stale state seq'
  Log      nothing
  Rules    M20 a pass is valid while its ticket is on the floor under the same fence and before its deadline
]]
local QUESTION_ARGS = 2
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

local function stale(ticket)
  return 'stale ' .. (ticket and (STATES[ticket.state] or 'expired') or '-') .. ' ' .. room.seq
end

-- The identities of all visitors who stand with a ticket; '-' for its own alone.
local function people(ticket)
  if not ticket.grouped then return '-' end
  local identities = {}
  for _, number in ipairs(members_of(ticket)) do identities[#identities + 1] = read_ticket(number).identity end
  if not is_vacant(ticket) then identities[#identities + 1] = ticket.identity end
  return table.concat(identities, ',')
end

local function answer(number, fence)
  local ticket = read_ticket(number)
  local pass = read_pass(number)
  if not ticket or not pass or pass.fence ~= fence then return stale(ticket) end
  local deadline = call('ZSCORE', key.floor, member_of(number))
  if tonumber(deadline) <= room.now then return stale(ticket) end
  return table.concat({ 'counts', number, ticket.generation, deadline, pass.reserved_seats, room.seq,
    ticket.identity, people(ticket) }, ' ')
end

local answers = {}
for i = 3, #ARGV, QUESTION_ARGS do answers[#answers + 1] = answer(tonumber(ARGV[i]), tonumber(ARGV[i + 1])) end
return answers
