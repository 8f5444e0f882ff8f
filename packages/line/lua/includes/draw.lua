--- include: room, ticket, presence, place
--[[
  Draws new tickets. Tickets drawn one after the other are written together: one ZADD, one HSET and one SETRANGE for many.
  Whoever reads the line, the records or the identities in between calls write_drawn first.
]]
local drawn = { identities = {}, members = {}, records = {}, first = nil, waiting = nil }

local function write_drawn()
  if #drawn.records == 0 then return end
  call('HSET', key.identities, unpack(drawn.identities))
  call('ZADD', key.line, unpack(drawn.members))
  local from, count = drawn.first, #drawn.records
  local written = 0
  while written < count do
    local chunk = chunk_of(from + written)
    local size = math.min(count - written, (chunk + 1) * CHUNK_TICKETS - (from + written))
    count_new(chunk, size)
    call('SETRANGE', chunk_key(chunk), offset_of(from + written),
      table.concat(drawn.records, '', written + 1, written + size))
    written = written + size
  end
  drawn.identities, drawn.members, drawn.records, drawn.first, drawn.waiting = {}, {}, {}, nil, nil
end

-- Those who wait and are present, counting the tickets that are not written yet.
local function count_waiting()
  drawn.waiting = drawn.waiting or call('ZCARD', key.line)
  return drawn.waiting + #drawn.records
end

-- Draws the next number for an identity. Returns the number, its place and its rank.
local function draw(room, identity, class)
  -- A priority place is found in the line as it is; class 0 always stands last.
  if class > 0 then write_drawn() end
  local number = room.nextNumber
  room.nextNumber = number + 1
  local place = choose_place(room, class, number)
  note_place(room, class, place)

  local member = member_of(number)
  local rank = class == 0 and count_waiting() or nil
  local count = #drawn.records
  drawn.first = drawn.first or number
  drawn.identities[2 * count + 1], drawn.identities[2 * count + 2] = identity, pack_number(number)
  drawn.members[2 * count + 1], drawn.members[2 * count + 2] = place, member
  drawn.records[count + 1] = pack_ticket({
    number = number, state = 'W', class = class, extended = false, reserved = false, generation = 1,
    seen = seen_now(room), joined_at = room.now, place = place, identity = identity,
  })
  if not rank then
    write_drawn()
    rank = call('ZRANK', key.line, member)
  end
  return number, place, rank
end
