--- include: room, ticket, deadline, end-ticket
--[[
  Expires an overdue ticket before a step looks at it, so that no answer shows a state that the log does not have (L32).
]]
-- Away past the grace time: no_show (L17).
local function expire_if_away_too_long(room, ticket, operation)
  if ticket.state ~= 'Y' then return end
  local until_ms = room.loadedAt + call('ZSCORE', key.away, member_of(ticket.number))
  if room.now > until_ms then end_ticket(room, ticket, 'n', operation) end
end

-- The same, and on the floor past the deadline: timeout (M8).
local function expire_if_overdue(room, ticket, operation)
  expire_if_away_too_long(room, ticket, operation)
  if not is_on_floor(ticket) then return end
  if deadline_of(ticket.number) <= room.now then end_ticket(room, ticket, 't', operation) end
end
