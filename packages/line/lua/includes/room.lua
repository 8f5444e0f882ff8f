--- include: keys
--[[
  Opens a room for one step, and saves what the step changed.

  A step refuses to run on a room without state, under another epoch, or with less history than its caller has seen (L23).
  The clock is Redis's and never goes back (L27). Every change has its own seq; a step is one stream entry (L18).
]]
-- Fields of the room's hash carry the names of the contract.
local ROOM_FIELDS = {
  'seq', 'now', 'trimmedSeq', 'unfollowedSince', 'nextNumber', 'baseNumber', 'loadedAt', 'loadedVersion',
  'lastPlace0', 'lastPlace1', 'lastPlace2', 'lastPlace3', 'level', 'refilledAt', 'admitted',
  'unreserved', 'promised', 'taken', 'stock', 'heldSeats', 'stockVersion',
  'admissions', 'changes', 'logMax', 'followWithinMs', 'paused', 'held', 'opensAt', 'closesAt', 'joinsFrom',
  'hasStarted', 'drawProgress', 'sealFrom', 'drawnBelow',
  'capacity', 'ratePerMinute', 'burst', 'claimSeconds', 'sessionSeconds', 'reservationSeconds',
  'heartbeatTimeoutSeconds', 'graceSeconds', 'awaySeconds', 'attendedAt', 'attendedSince', 'passedPlace',
  'maxWaiting', 'priorityMode', 'stockAware', 'keepLineWhenSoldOut', 'groupMax',
}
-- Fields that a step may change by assignment; save_room writes them.
local SAVED_FIELDS = {
  'seq', 'now', 'trimmedSeq', 'unfollowedSince', 'nextNumber', 'loadedAt',
  'lastPlace0', 'lastPlace1', 'lastPlace2', 'lastPlace3', 'level', 'refilledAt', 'admitted',
  'unreserved', 'promised', 'taken', 'stock', 'heldSeats', 'stockVersion', 'admissions', 'changes',
  'attendedAt', 'attendedSince', 'passedPlace', 'hasStarted', 'drawProgress', 'sealFrom', 'drawnBelow',
}

local function clock_ms()
  local time = call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Reads the room's hash; nil when there is none. A field that is not set is false.
local function read_room(epoch)
  local values = call('HMGET', key.room, unpack(ROOM_FIELDS))
  if not values[1] then return nil end
  local room = { epoch = tonumber(epoch), was = {}, lines = {}, savers = {} }
  for i, field in ipairs(ROOM_FIELDS) do
    local value = tonumber(values[i]) or values[i]
    room[field], room.was[field] = value, value
  end
  room.now = math.max(clock_ms(), room.now)
  return room
end

-- Returns the room, or nil and the error to answer with.
local function open_room(epoch, seen_seq)
  local current = call('GET', key.epoch)
  if not current then return nil, redis.error_reply('LINELOST missing') end
  if current ~= epoch then return nil, redis.error_reply('LINELOST other-epoch') end
  local room = read_room(epoch)
  if not room then return nil, redis.error_reply('LINELOST missing') end
  if tonumber(seen_seq) > room.seq then return nil, redis.error_reply('LINELOST regressed') end
  return room
end

-- Every seat is sold or blocked, and none is held that could return (M26).
local function is_sold_out(room)
  return room.stock == 0 and room.heldSeats == 0
end

-- The line has a draw that is not revealed (J3, J8).
local function is_undrawn(room)
  return room.drawProgress and room.drawProgress ~= 'revealed'
end

-- Adds one change to the log and returns its seq. `line` is the kind and its fields, separated by tabs; `tail`, if given,
-- is appended to it. Lua hashes every string it makes, so the parts are joined only once, in save_room.
local function append(room, operation, line, tail)
  if #room.lines == 0 and room.seq == room.trimmedSeq then room.unfollowedSince = room.now end
  room.seq = room.seq + 1
  local lines, count = room.lines, #room.lines
  lines[count + 1], lines[count + 2], lines[count + 3] = operation, '\t', line
  lines[count + 4], lines[count + 5] = tail or '', '\n'
  return room.seq
end

-- Registers a function that save_room calls first, to write changes that were buffered.
local function save_with(room, saver)
  room.savers[#room.savers + 1] = saver
end

-- One command for many fields or members; no command for none.
local function write_many(command, name, arguments, option)
  if #arguments == 0 then return end
  if option then call(command, name, option, unpack(arguments)) else call(command, name, unpack(arguments)) end
end

-- Writes the buffered changes, the changed fields and the log of the step. Called once, at its end.
local function save_room(room)
  for _, save in ipairs(room.savers) do save() end
  local changed = {}
  for _, field in ipairs(SAVED_FIELDS) do
    if room[field] ~= room.was[field] then
      changed[#changed + 1] = field
      changed[#changed + 1] = room[field]
    end
  end
  if #changed > 0 then call('HSET', key.room, unpack(changed)) end
  if #room.lines > 0 then
    local id = string.format('%d-%d', room.epoch, room.seq)
    call('XADD', key.log, id, 'at', room.now, 'changes', table.concat(room.lines, '', 1, #room.lines - 1))
  end
end
