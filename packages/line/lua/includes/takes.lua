--- include: room, pass, ticket, text
--[[
  Claims that passed the gate and are not settled yet: a few of each ticket, each with the seats it asks for (0: it gives
  back what it has), the time at which it returns by itself, and its operation.

  What a step changes is written when the room is saved; what it returns at once, as it may look at all takes afterwards.

  They and the passes make the room's sums: who on the floor has no reservation (unreserved), who is promised a seat
  (promised), and what takes may still cost (taken). Whoever changes either counts the ticket out before and in after.
]]
local NO_TAKES = {}
-- Takes that were fetched or written in this step, by number.
local known_takes = {}
-- Those among them that are not written yet.
local changed_takes = {}

local function unpack_takes(stored)
  if not stored then return NO_TAKES end
  local takes = {}
  for quantity, ends_at, operation in string.gmatch(stored, '(%d+) (%d+) ([^\n]*)\n') do
    takes[#takes + 1] = { quantity = tonumber(quantity), ends_at = tonumber(ends_at), operation = operation }
  end
  return takes
end

-- Reads the takes of many tickets together, for a step that is about to look at each. `numbers` as text.
local function fetch_takes(numbers)
  for i, stored in ipairs(call('HMGET', key.takes, unpack(numbers))) do
    known_takes[tonumber(numbers[i])] = unpack_takes(stored)
  end
end

local function read_takes(number)
  return known_takes[number] or unpack_takes(call('HGET', key.takes, whole(number)))
end

-- What the largest take asks for, beyond the least that the ticket may have by then: any of its takes may be committed
-- already, and the seats it gave back be counted in the stock (M22).
local function cost_of(takes, reserved_seats)
  local largest, least = 0, reserved_seats
  for i = 1, #takes do
    local quantity = takes[i].quantity
    if quantity > largest then largest = quantity end
    if quantity < least then least = quantity end
  end
  return largest > least and largest - least or 0
end

-- On the floor without seats, or about to give them back. A take stands for the promise (M25).
local function is_promised(takes, reserved_seats)
  if #takes == 0 then return reserved_seats == 0 end
  for i = 1, #takes do
    if takes[i].quantity == 0 then return true end
  end
  return false
end

-- Counts a ticket in (1) or out (-1). Off the floor it has no pass.
local function count_in_sums(room, sign, takes, pass)
  room.taken = room.taken + sign * cost_of(takes, pass and pass.reserved_seats or 0)
  if not pass then return end
  if pass.reserved_seats == 0 then room.unreserved = room.unreserved + sign end
  if is_promised(takes, pass.reserved_seats) then room.promised = room.promised + sign end
end

local function pack_takes(takes)
  local texts, first_end = {}, math.huge
  for i, take in ipairs(takes) do
    texts[i] = string.format('%d %d %s\n', take.quantity, take.ends_at, take.operation)
    first_end = math.min(first_end, take.ends_at)
  end
  return table.concat(texts), whole(first_end)
end

-- Writes all that the step has changed, as it is in the end.
local function save_takes()
  local texts, ends, gone, gone_members = {}, {}, {}, {}
  for number in pairs(changed_takes) do
    local takes, member = known_takes[number], member_of(number)
    if #takes == 0 then
      gone[#gone + 1], gone_members[#gone_members + 1] = whole(number), member
    else
      local text, first_end = pack_takes(takes)
      texts[#texts + 1], texts[#texts + 2] = whole(number), text
      ends[#ends + 1], ends[#ends + 2] = first_end, member
    end
  end
  write_many('HSET', key.takes, texts)
  write_many('ZADD', key.take_ends, ends)
  write_many('HDEL', key.takes, gone)
  write_many('ZREM', key.take_ends, gone_members)
  changed_takes = {}
end

-- Replaces the takes of a ticket.
local function write_takes(room, number, pass, before, takes)
  count_in_sums(room, -1, before, pass)
  count_in_sums(room, 1, takes, pass)
  if next(changed_takes) == nil then save_with(room, save_takes) end
  known_takes[number], changed_takes[number] = takes, true
end

-- Gives back what nobody settled in time, of at most `max` tickets; returns of how many (M23).
local function return_takes(room, max)
  local members = call('ZRANGEBYSCORE', key.take_ends, '-inf', room.now, 'LIMIT', 0, max)
  for _, member in ipairs(members) do
    local number = number_of(member)
    local before, kept = read_takes(number), {}
    for _, take in ipairs(before) do
      if take.ends_at > room.now then kept[#kept + 1] = take end
    end
    write_takes(room, number, read_pass(number), before, kept)
  end
  save_takes()
  return #members
end

-- The takes of a ticket without those of an operation.
local function takes_of_others(takes, operation)
  local others = {}
  for i = 1, #takes do
    if takes[i].operation ~= operation then others[#others + 1] = takes[i] end
  end
  return others
end
