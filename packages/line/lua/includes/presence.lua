--- include: room, ticket
--[[
  Which tickets are present. Last-seen times are stored in units of 100 ms since the load, so that four bytes last 13 years.
]]
local SEEN_UNIT_MS = 100

local function seen_now(room)
  return math.floor((room.now - room.loadedAt) / SEEN_UNIT_MS) + 1
end

-- A ticket that was not seen since the load counts as seen at the load (L26).
local function is_present(room, ticket)
  local unseen_ms = (seen_now(room) - math.max(ticket.seen, 1)) * SEEN_UNIT_MS
  return unseen_ms <= room.heartbeatTimeoutSeconds * 1000
end

-- Marks a ticket as seen (L15). An away ticket returns to its old place (L16). The ticket must not be overdue.
-- Returns true when it came back.
local function see(room, ticket, operation)
  if ticket.state == 'W' then
    ticket.seen = seen_now(room)
    write_seen(ticket)
    return false
  end
  if ticket.state ~= 'Y' then return false end
  local member = member_of(ticket.number)
  ticket.state, ticket.seen = 'W', seen_now(room)
  write_ticket(ticket)
  call('ZREM', key.away, member)
  call('ZADD', key.line, ticket.place, member)
  append(room, operation, 'back\t' .. ticket.number .. '\t' .. call('ZRANK', key.line, member))
  return true
end
