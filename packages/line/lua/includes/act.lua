--- include: room, ticket, expire
--[[
  Decides whether a visitor may act on a ticket. The ticket must be known, its identity must match (L11), and the visitor's
  generation must not be older than the ticket's (L10).
]]
-- Returns the ticket, expired if it was overdue (L32); or nil and the refusal.
local function ticket_to_act_on(room, number, identity, generation, operation)
  local ticket = ticket_of(number, identity)
  if not ticket then return nil, 'unknown ' .. room.seq end
  expire_if_overdue(room, ticket, operation)
  if generation < own_of(ticket).generation then return nil, 'moved ' .. room.seq end
  return ticket
end
