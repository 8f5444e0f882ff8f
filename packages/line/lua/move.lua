--- include: room, ticket, expire, pass, view
--[[
  Hands tickets to another device: a newer generation, and on the floor a newer fence.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           then for each request: number, identity, generation, operation
  Returns  { answer, … }: 'moved_here' or 'over' and a view, or 'moved' or 'unknown' and seq
  Log      moved, once for each operation, and for the fence of a group's ticket; expired, for an overdue ticket
  Rules    L10 an older generation is refused; one operation moves once · L11 identity · L32 overdue tickets expire first
           M11 the fence rises
]]
local REQUEST_ARGS = 4
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

local function move(ticket, operation)
  local own = own_of(ticket)
  own.generation = own.generation + 1
  write_ticket(own)
  call('HSET', key.moves, own.number, operation)
  local fence = '-'
  if is_on_floor(ticket) then
    local pass = read_pass(ticket.number)
    pass.fence = fence_of(room.epoch, room.seq + 1)
    write_pass(ticket.number, pass)
    fence = whole(pass.fence)
  end
  append(room, operation, table.concat({ 'moved', own.number, own.generation, own == ticket and fence or '-' }, '\t'))
  if own ~= ticket and fence ~= '-' then
    append(room, operation, table.concat({ 'moved', ticket.number, ticket.generation, fence }, '\t'))
  end
end

local function answer(number, identity, generation, operation)
  local ticket = ticket_of(number, identity)
  if not ticket then return 'unknown ' .. room.seq end
  expire_if_overdue(room, ticket, operation)
  -- A device that repeats a move still holds the old generation, so the operation is compared first.
  local is_repeated = is_live(ticket) and call('HGET', key.moves, number) == operation
  if generation < own_of(ticket).generation and not is_repeated then return 'moved ' .. room.seq end
  if not is_live(ticket) then return 'over ' .. view(room, ticket) end
  if not is_repeated then move(ticket, operation) end
  return 'moved_here ' .. view(room, ticket)
end

local answers = {}
for i = 3, #ARGV, REQUEST_ARGS do
  answers[#answers + 1] = answer(tonumber(ARGV[i]), ARGV[i + 1], tonumber(ARGV[i + 2]), ARGV[i + 3])
end
save_room(room)
return answers
