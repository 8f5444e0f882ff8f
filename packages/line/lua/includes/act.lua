--- include: room, ticket, expire
--[[
  Whether a visitor may act on a ticket: it must be known, theirs, and of the generation they hold (L10, L11).
]]
-- Settles and returns the ticket; or nil and the refusal.
local function ticket_to_act_on(room, number, identity, generation, operation)
  local ticket = ticket_of(number, identity)
  if not ticket then return nil, 'unknown ' .. room.seq end
  expire_if_overdue(room, ticket, operation)
  if generation < ticket.generation then return nil, 'moved ' .. room.seq end
  return ticket
end
