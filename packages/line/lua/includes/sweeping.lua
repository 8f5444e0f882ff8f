--- include: room, ticket, presence, end-ticket, text
--[[
  The parts of a sweep, in the order in which sweep.lua calls them. `step.left` counts the tickets that may still be changed,
  `step.expired` and `step.absent` collect what was found.
]]
-- Strings of records that one call may read: about 50 microseconds each.
local CHUNKS_MAX = 64
local WAITING, AWAY = string.byte('W'), string.byte('Y')

-- A server gives its word that it takes heartbeats. After a gap every ticket counts as seen now (L62).
local function attend(room)
  local unattended_since = room.attendedAt
  room.attendedSince = attended_since(room)
  room.attendedAt = room.now
  if room.attendedSince < room.now then return end
  if unattended_since == room.now or call('ZCARD', key.line) + count_away() == 0 then return end
  append(room, 'sweep', 'attended\t' .. unattended_since)
end

-- Admission has passed the places of these away tickets: from now on they have the grace time (L63).
local function begin_grace(room, step)
  if step.left == 0 then return end
  local members = call('ZRANGEBYSCORE', key.away, '-inf', '(' .. exact(room.passedPlace), 'LIMIT', 0, step.left)
  if #members == 0 then return end
  local ends, until_ms = {}, room.now + room.graceSeconds * 1000 - room.loadedAt
  for i, member in ipairs(members) do ends[2 * i - 1], ends[2 * i] = until_ms, member end
  call('ZREM', key.away, unpack(members))
  write_many('ZADD', key.passed, ends)
  step.left = step.left - #members
end

-- The grace time is over (L17). It does not end sooner than it would have begun with the servers' attention (L62).
local function find_passed_too_long(room, step)
  if step.left == 0 or is_undrawn(room) or room.now <= room.attendedSince + room.graceSeconds * 1000 then return end
  local before = '(' .. (room.now - room.loadedAt)
  step.expired = call('ZRANGEBYSCORE', key.passed, '-inf', before, 'LIMIT', 0, step.left)
  step.left = step.left - #step.expired
end

-- The strings that may have a ticket to change, by number; at most CHUNKS_MAX, and whether these are all.
local function chunks_to_read(waiting_before, away_before)
  local due, chunks = {}, {}
  local function find(name, before)
    local found = before and call('ZRANGEBYSCORE', name, '-inf', '(' .. before, 'LIMIT', 0, CHUNKS_MAX) or {}
    for _, chunk in ipairs(found) do
      if not due[chunk] then chunks[#chunks + 1] = tonumber(chunk) end
      due[chunk] = true
    end
    return #found < CHUNKS_MAX
  end
  local has_all_waiting, has_all_away = find(key.oldest_waiting, waiting_before), find(key.oldest_away, away_before)
  table.sort(chunks)
  return chunks, has_all_waiting and has_all_away
end

-- Stores a bound that was found; without a ticket there is none.
local function set_bound(name, chunk, oldest)
  if oldest == math.huge then call('ZREM', name, whole(chunk)) else call('ZADD', name, whole(oldest), whole(chunk)) end
end

-- Reads the records of a chunk: collects what is due, and raises the bounds. What it leaves because the batch is full stays
-- within the bounds.
local function read_chunk(step, chunk, waiting_before, away_before, is_expired)
  local records = call('GET', chunk_key(chunk)) or ''
  local byte, oldest_waiting, oldest_away = string.byte, math.huge, math.huge
  for offset = 0, #records - RECORD_BYTES, RECORD_BYTES do
    local state = byte(records, offset + 1)
    if state == WAITING or state == AWAY then
      local a, b, c, d = byte(records, offset + SEEN_OFFSET + 1, offset + SEEN_OFFSET + 4)
      local seen = ((a * 256 + b) * 256 + c) * 256 + d
      local number = chunk * CHUNK_TICKETS + offset / RECORD_BYTES
      local before = waiting_before
      if state == AWAY then before = away_before end
      local is_due = before and seen < before and step.left > 0 and not is_expired[number]
      if is_due then step.left = step.left - 1 end
      if state == WAITING and is_due then
        step.absent[#step.absent + 1] = { number = number, seen = seen, place = place_in(records, offset) }
        oldest_away = math.min(oldest_away, seen)
      elseif is_due then
        step.expired[#step.expired + 1] = member_of(number)
      elseif state == WAITING then
        oldest_waiting = math.min(oldest_waiting, seen)
      elseif not is_expired[number] then
        oldest_away = math.min(oldest_away, seen)
      end
    end
  end
  set_bound(key.oldest_waiting, chunk, oldest_waiting)
  set_bound(key.oldest_away, chunk, oldest_away)
end

-- Waiting tickets that were not seen for heartbeatTimeoutSeconds (L60), and away ones that have been so for awaySeconds
-- (L64, J3). Returns whether all strings that may have one were read.
local function find_silent(room, step)
  local waiting_before = silent_before(room, room.heartbeatTimeoutSeconds)
  local away_before = not is_undrawn(room) and silent_before(room, room.heartbeatTimeoutSeconds + room.awaySeconds)
  local chunks, are_all = chunks_to_read(waiting_before, away_before)
  local is_expired = {}
  for _, member in ipairs(step.expired) do is_expired[number_of(member)] = true end
  for _, chunk in ipairs(chunks) do
    if step.left == 0 then return false end
    read_chunk(step, chunk, waiting_before, away_before, is_expired)
  end
  return are_all
end

-- Takes the tickets out of the line, in the order of their places: the rank that each leaves from follows from its rank
-- before, and neighbours leave from the same.
local function mark_absent(room, absent)
  if #absent == 0 then return end
  table.sort(absent, function (a, b)
    if a.place == b.place then return a.number < b.number end
    return a.place < b.place
  end)
  local numbers, ranks, members, places = {}, {}, {}, {}
  for i, ticket in ipairs(absent) do
    local member = member_of(ticket.number)
    numbers[i], members[i] = ticket.number, member
    ranks[i] = call('ZRANK', key.line, member) - (i - 1)
    places[2 * i - 1], places[2 * i] = exact(ticket.place), member
    call('SETRANGE', chunk_key(chunk_of(ticket.number)), whole(offset_of(ticket.number)), 'Y')
  end
  call('ZREM', key.line, unpack(members))
  call('ZADD', key.away, unpack(places))
  append_many(room, 'sweep', 'away', numbers, ranks)
end
