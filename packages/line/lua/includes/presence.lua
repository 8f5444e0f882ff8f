--- include: room, ticket, text
--[[
  Which tickets are present, and which are away. Last-seen times are stored in units of 100 ms since the load, so that four
  bytes last 13 years.

  Silence counts only while a server could take heartbeats (L62). Each sweep is a server's word that it can; a longer time
  than UNATTENDED_MS without one means that no server could. Then every ticket counts as seen when that time ended.

  Finding the silent tickets must not scan the line, so each string of records has two bounds: no waiting ticket in it was
  last seen before the one, and no away ticket before the other. A heartbeat leaves them as they are; the sweep raises them.
]]
local SEEN_UNIT_MS, UNITS_PER_SECOND = 100, 10
local UNATTENDED_MS = 3000

local function unit_of(room, ms)
  return math.floor((ms - room.loadedAt) / SEEN_UNIT_MS) + 1
end

local function seen_now(room)
  return unit_of(room, room.now)
end

-- Since when servers have taken heartbeats without a gap, in ms.
local function attended_since(room)
  return room.now - room.attendedAt > UNATTENDED_MS and room.now or room.attendedSince
end

-- A ticket that was last seen before this unit has been silent for longer than so many seconds. No ticket has (nil) while
-- servers have not taken heartbeats for that long.
local function silent_before(room, seconds)
  local before = seen_now(room) - seconds * UNITS_PER_SECOND
  return unit_of(room, attended_since(room)) < before and before or nil
end

-- A ticket that was not seen since the load counts as seen at the load (L26).
local function is_present(room, ticket)
  local before = silent_before(room, room.heartbeatTimeoutSeconds)
  return not before or math.max(ticket.seen, 1) >= before
end

local function count_away()
  return call('ZCARD', key.away) + call('ZCARD', key.passed)
end

-- The bounds of a chunk take a ticket into account that was last seen then.
local function note_waiting(number, seen)
  call('ZADD', key.oldest_waiting, 'LT', whole(seen), whole(chunk_of(number)))
end

local function note_away(number, seen)
  call('ZADD', key.oldest_away, 'LT', whole(seen), whole(chunk_of(number)))
end

-- Appends one entry for tickets that changed together; `ranks` is nil when they had none.
local function append_many(room, operation, kind, numbers, ranks)
  append(room, operation, kind .. '\t' .. table.concat(numbers, ',') .. '\t' .. (ranks and table.concat(ranks, ',') or '-'))
end

-- An away ticket returns to its old place (L16). Returns its rank there.
local function bring_back(room, ticket)
  local member = member_of(ticket.number)
  ticket.state, ticket.seen = 'W', seen_now(room)
  write_ticket(ticket)
  if call('ZREM', key.away, member) == 0 then call('ZREM', key.passed, member) end
  call('ZADD', key.line, exact(ticket.place), member)
  note_waiting(ticket.number, ticket.seen)
  return call('ZRANK', key.line, member)
end

-- Marks a ticket as seen (L15). An away ticket comes back: then true.
local function see(room, ticket, operation)
  if ticket.state == 'W' then
    ticket.seen = seen_now(room)
    write_seen(ticket)
    return false
  end
  if ticket.state ~= 'Y' then return false end
  append_many(room, operation, 'back', { ticket.number }, { bring_back(room, ticket) })
  return true
end
