--- include: keys, room, text
--[[
  The pass of a ticket on the floor. Stored as one text, the fields between spaces:

  fence             of the pass (M11)
  session_deadline  the deadline it has without a reservation
  reserved_seats    seats of its reservation; 0: none
  seats_version     version of the seat map that reserved_seats is from (M24)
  identity          of the ticket, copied from its record so that take.lua need not read the record
  extension         the operation that extended it; empty: none, or forgotten by a rebuild
]]
-- Passes that this step has fetched or written, by number; false off the floor.
local known_passes = {}

local function unpack_pass(stored)
  local fence, session_deadline, seats, version, identity, extension =
    string.match(stored, '^(%d+) (%d+) (%d+) (%d+) (%S+) (.*)$')
  return {
    fence = tonumber(fence), session_deadline = tonumber(session_deadline), reserved_seats = tonumber(seats),
    seats_version = tonumber(version), identity = identity, extension = extension,
  }
end

-- 'fence reservedSeats' of a stored pass, without unpacking it.
local function fence_and_seats(stored)
  return (string.gsub(stored, '^(%d+) %d+ (%d+).*$', '%1 %2'))
end

-- Reads the passes of many tickets together, for a step that is about to look at each. `numbers` as text.
local function fetch_passes(numbers)
  for i, stored in ipairs(call('HMGET', key.passes, unpack(numbers))) do
    known_passes[tonumber(numbers[i])] = stored and unpack_pass(stored)
  end
end

-- Nil when the ticket is not on the floor.
local function read_pass(number)
  local known = known_passes[number]
  if known ~= nil then return known or nil end
  local stored = call('HGET', key.passes, whole(number))
  return stored and unpack_pass(stored) or nil
end

local function pack_pass(pass)
  return string.format('%d %d %d %d %s %s', pass.fence, pass.session_deadline, pass.reserved_seats, pass.seats_version,
    pass.identity, pass.extension)
end

local function write_pass(number, pass)
  known_passes[number] = pass
  call('HSET', key.passes, whole(number), pack_pass(pass))
end

-- Writes the passes of many tickets that have one, as they were changed since they were fetched.
local function write_passes(numbers)
  local texts = {}
  for i, number in ipairs(numbers) do texts[2 * i - 1], texts[2 * i] = whole(number), pack_pass(known_passes[number]) end
  write_many('HSET', key.passes, texts)
end

local function remove_pass(number)
  known_passes[number] = false
  call('HDEL', key.passes, whole(number))
end

-- The same number as fenceOf in the domain. Fences grow with every log entry, also across a rebuild (M11).
local function fence_of(epoch, seq)
  return epoch * 2 ^ 36 + seq
end
