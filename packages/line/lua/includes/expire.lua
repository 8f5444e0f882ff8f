--- include: room, ticket, deadline, end-ticket
--[[
  Expires an overdue ticket before a step looks at it, so that no answer shows a state that the log does not have (L32).
  An away ticket is not overdue before the sweep has ended it: until then its visitor may come back (L16).
]]
-- On the floor past the deadline: timeout (M8).
local function expire_if_overdue(room, ticket, operation)
  if not is_on_floor(ticket) then return end
  if deadline_of(ticket.number) <= room.now then end_ticket(room, ticket, 't', operation) end
end
