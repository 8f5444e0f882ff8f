--- include: room, pass, ticket, text
--[[
  Takes: claims that passed the gate and are not settled yet. A ticket has at most a few, each with

  quantity   seats the claim asks for; 0: the ticket gives back what it has (M25)
  ends_at    when the take returns by itself (M23)
  operation  of the claim

  Changed takes are buffered and written by save_room; return_takes writes at once, because a step may then read all takes.

  Takes and passes determine three sums of the room: tickets on the floor without a reservation (unreserved), tickets that are
  promised a seat (promised), and seats that takes may still cost (taken). Code that changes a take or a pass calls
  count_in_sums with -1 before the change and with 1 after it.
]]
local NO_TAKES = {}
-- Takes that this step has fetched or changed, by number.
local known_takes = {}
-- Numbers of those that are not written yet.
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

-- The seats of the largest take minus the fewest seats the ticket may have by then (M22). Any of its takes may be committed
-- already, and the seats it gave back counted in the stock.
local function cost_of(takes, reserved_seats)
  local largest, least = 0, reserved_seats
  for i = 1, #takes do
    local quantity = takes[i].quantity
    if quantity > largest then largest = quantity end
    if quantity < least then least = quantity end
  end
  return largest > least and largest - least or 0
end

-- Whether the ticket is promised a seat: it has none, or is about to give its seats back (M25). A take of its own replaces
-- the promise.
local function is_promised(takes, reserved_seats)
  if #takes == 0 then return reserved_seats == 0 end
  for i = 1, #takes do
    if takes[i].quantity == 0 then return true end
  end
  return false
end

-- Adds a ticket to the sums (1) or removes it (-1). Off the floor it has no pass.
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

-- Writes the changed takes.
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

-- Drops takes that were not settled in time, of at most `max` tickets; returns the number of tickets (M23).
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
