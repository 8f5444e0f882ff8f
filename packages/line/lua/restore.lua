--- include: room, ticket, expire, presence, place, view
--[[
  Re-creates tickets that the ledger had not seen when their epoch ended, at exactly their old place.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           then for each request, from a ticket token: number, place, class, identity, generation, epoch, joined_at
  Returns  { answer, … }: 'joined' or 'present' and a view, or 'refused' and seq
  Log      restored, once for each ticket; expired or back, for the ticket an identity already has
  Rules    L1 a live ticket of the identity wins · L25 which tickets may come back · L32 overdue tickets expire first
]]
local REQUEST_ARGS = 7
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

-- Whether a ticket was lost with its epoch: its number lies above that epoch's mark and below all numbers of this epoch.
local function was_lost(number, epoch)
  local mark = tonumber(call('HGET', key.room, 'mark:' .. epoch))
  return epoch < room.epoch and mark and number > mark and number < room.baseNumber
end

local function restore(ticket, from_epoch)
  local member = member_of(ticket.number)
  create_ticket(ticket)
  call('ZADD', key.line, exact(ticket.place), member)
  note_waiting(ticket.number, ticket.seen)
  note_place(room, ticket.class, ticket.place)
  room.hasStarted = 1
  append(room, 'restore', table.concat({ 'restored', ticket.number, ticket.identity, ticket.class, exact(ticket.place),
    call('ZRANK', key.line, member), ticket.generation, ticket.joined_at, from_epoch }, '\t'))
end

local function answer(request, epoch)
  local known = ticket_of_identity(request.identity)
  if known then
    expire_if_overdue(room, known, 'restore')
    if not is_live(known) then return 'refused ' .. room.seq end
    local is_back = see(room, known, 'restore')
    return 'present ' .. view(room, known, is_back)
  end
  if not was_lost(request.number, epoch) or read_ticket(request.number) then return 'refused ' .. room.seq end
  restore(request, epoch)
  return 'joined ' .. view(room, request)
end

local answers = {}
for i = 3, #ARGV, REQUEST_ARGS do
  local request = {
    number = tonumber(ARGV[i]), place = tonumber(ARGV[i + 1]), class = tonumber(ARGV[i + 2]), identity = ARGV[i + 3],
    generation = tonumber(ARGV[i + 4]), joined_at = tonumber(ARGV[i + 6]),
    state = 'W', extended = false, seen = seen_now(room),
  }
  answers[#answers + 1] = answer(request, tonumber(ARGV[i + 5]))
end
save_room(room)
return answers
