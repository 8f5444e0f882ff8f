--- include: room, ticket, expire, end-ticket, group, pass, takes, view
--[[
  Gives the live tickets of guests to the accounts the guests signed in to.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           then for each request: from_identity, to_identity, user_id, operation
  Returns  { answer, … }: 'adopted' and a view, or 'nothing' or 'has_own' and seq
  Log      adopted, once for each operation; expired, for a guest's ticket beside the account's own, or an overdue one; grouped
           instead, when a group goes on without the guest
  Rules    L1 one live ticket for each identity · L32 overdue tickets expire first · L40 the place stays, one operation
           adopts once · L52 an account keeps its own ticket, and the guest's ends
]]
local REQUEST_ARGS = 4
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

local function live_ticket_of(identity, operation)
  local ticket = ticket_of_identity(identity)
  if not ticket or not is_live(ticket) then return nil end
  expire_if_overdue(room, ticket, operation)
  return is_live(ticket) and ticket or nil
end

local function adopt(found, identity, user_id, operation)
  local ticket = own_of(found)
  call('HDEL', key.identities, identity_key(ticket.identity))
  call('HSET', key.identities, identity_key(identity), member_of(ticket.number))
  ticket.identity = identity
  write_ticket(ticket)
  if is_on_floor(ticket) then
    local pass = read_pass(ticket.number)
    pass.identity = identity
    write_pass(ticket.number, pass)
  end
  call('HSET', key.moves, ticket.number, operation)
  release_limit(ticket.number)
  append(room, operation, table.concat({ 'adopted', ticket.number, identity, user_id }, '\t'))
end

-- Whether the ticket has reserved seats or a claim under way. Ending such a ticket would give its seats back.
local function is_reserving(ticket)
  if not is_on_floor(ticket) then return false end
  return read_pass(ticket.number).reserved_seats > 0 or #read_takes(ticket.number) > 0
end

-- The guest's ticket beside the account's own; a group goes on without the guest.
local function end_beside(ticket, operation)
  if people_of(ticket) > 1 then
    leave_group(room, ticket, operation)
  elseif not is_reserving(ticket) then
    end_ticket(room, ticket, 'c', operation)
  end
end

local function answer(from_identity, to_identity, user_id, operation)
  local own = live_ticket_of(to_identity, operation)
  local ticket = live_ticket_of(from_identity, operation)
  if own then
    if ticket and own_of(ticket).number ~= own_of(own).number then end_beside(ticket, operation) end
    -- A repeated adoption finds the ticket under the account, where the first one put it.
    local is_repeated = call('HGET', key.moves, own_of(own).number) == operation
    return is_repeated and 'adopted ' .. view(room, own) or 'has_own ' .. room.seq
  end
  if not ticket then return 'nothing ' .. room.seq end
  adopt(ticket, to_identity, user_id, operation)
  return 'adopted ' .. view(room, ticket)
end

local answers = {}
for i = 3, #ARGV, REQUEST_ARGS do
  answers[#answers + 1] = answer(ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3])
end
save_room(room)
return answers
