--- include: room, ticket, presence, place
--[[
  Draws new tickets (L2). Tickets drawn one after the other are buffered and written together: one ZADD, one HSET and one
  SETRANGE for many. Code that reads or changes the line, the records or the identities in between calls write_drawn first.
]]
local drawn = { count = 0, identities = {}, members = {}, records = {} }

-- Writes records of consecutive numbers, chunk by chunk.
local function write_records(first, records)
  local written = 0
  while written < #records do
    local chunk = chunk_of(first + written)
    local size = math.min(#records - written, (chunk + 1) * CHUNK_TICKETS - (first + written))
    count_new(chunk, size)
    note_waiting(first + written, drawn.seen)
    call('SETRANGE', chunk_key(chunk), offset_of(first + written),
      table.concat(records, '', written + 1, written + size))
    written = written + size
  end
end

local function write_drawn()
  if drawn.count > 0 then
    call('HSET', key.identities, unpack(drawn.identities))
    call('ZADD', key.line, unpack(drawn.members))
    write_records(drawn.first, drawn.records)
  end
  drawn = { count = 0, identities = {}, members = {}, records = {} }
end

-- How many tickets wait and are present, buffered ones included, and how many are away.
local function count_waiting()
  if not drawn.waiting then drawn.waiting, drawn.away = call('ZCARD', key.line), count_away() end
  return drawn.waiting + drawn.count, drawn.away
end

-- Draws the next number for an identity. Returns the number, its place and its rank (L12, L13, L14).
local function draw(room, identity_key, identity, class)
  -- A priority place depends on the written line; class 0 is always last.
  if class > 0 then write_drawn() end
  local number, rank = room.nextNumber, count_waiting()
  local place = choose_place(room, class, number)
  local member = member_of(number)
  room.nextNumber, room.hasStarted = number + 1, 1
  note_place(room, class, place)

  local count = drawn.count
  drawn.count = count + 1
  drawn.first = drawn.first or number
  drawn.seen = drawn.seen or seen_now(room)
  drawn.identities[2 * count + 1], drawn.identities[2 * count + 2] = identity_key, member
  drawn.members[2 * count + 1], drawn.members[2 * count + 2] = exact(place), member
  drawn.records[count + 1] = pack_new_ticket(class, drawn.seen, room.now, place, identity)
  if class > 0 then
    write_drawn()
    rank = call('ZRANK', key.line, member)
  end
  return number, place, rank
end
