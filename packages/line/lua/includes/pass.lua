--- include: keys, room, text
--[[
  What the room keeps of a ticket on the floor beside its deadline: the fence of its pass, the deadline it has without a
  reservation, the seats of its reservation (0: none) and the version of the seat map that told so, whose it is (as in its
  record, which a step that looks at many tickets need not read then), and which operation extended it (empty: none, or
  not known any more).
]]
-- Passes that were fetched or written in this step, by number; false off the floor.
local known_passes = {}

local function unpack_pass(stored)
  local fence, session_deadline, seats, version, identity, extension =
    string.match(stored, '^(%d+) (%d+) (%d+) (%d+) (%S+) (.*)$')
  return {
    fence = tonumber(fence), session_deadline = tonumber(session_deadline), reserved_seats = tonumber(seats),
    seats_version = tonumber(version), identity = identity, extension = extension,
  }
end

-- 'fence reservedSeats' of a pass as it is stored.
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

-- The same number as fenceOf in the domain: fences grow with every entry of the log, also over a rebuild (M11).
local function fence_of(epoch, seq)
  return epoch * 2 ^ 36 + seq
end
