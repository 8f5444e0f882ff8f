--- include: room, ticket, pass, takes
--[[
  Opens a room that is being loaded. The load must have begun, and no room may be open under its epoch or a newer one (L24).
]]
-- Returns the room, or nil and the error to answer with.
local function open_loading(epoch)
  if tonumber(call('GET', key.epoch) or -1) >= tonumber(epoch) then
    return nil, redis.error_reply('LINELOST other-epoch')
  end
  local room = read_room(epoch)
  if not room then return nil, redis.error_reply('LINELOST missing') end
  return room
end

-- Puts a ticket on the floor that is not there yet, as the ledger has it.
local function put_on_floor(room, ticket, deadline, session_end, fence, reserved_seats)
  call('ZADD', key.floor, deadline, member_of(ticket.number))
  local pass = {
    fence = fence, session_deadline = session_end or deadline, reserved_seats = reserved_seats,
    seats_version = room.loadedVersion, identity = ticket.identity, extension = '',
  }
  write_pass(ticket.number, pass)
  count_in_sums(room, 1, NO_TAKES, pass)
  if ticket.state == 'A' then room.admitted = room.admitted + 1 end
end
