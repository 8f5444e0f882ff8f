--- include: room, ticket, expire, deadline, pass, takes, text
--[[
  Tells what the ledger made of claims, and how many seats it counted afterwards.

  Keys   those of the room, see includes/keys.lua
  Args   1 epoch, 2 seen_seq   what the caller knows of the room
         3 version, 4 stock, 5 held_seats   of the seat map
         6 count               of the results
         7 results             a line for each, between spaces: number, what the ticket has now, which is until ('='
                               what it had before, '-' nothing any more) and quantity, and operation. No ticket twice,
                               but with '='.
  Reply  { seq, number of a ticket that reserved and is not on the floor any more, … }
  Holds  M14 whose deadline counts · M24 takes end, older news is ignored · M26 what the log tells
]]
local version, stock, held_seats = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
-- The operation in the log: what clients call theirs is nobody else's business.
local in_log = 'seats-' .. whole(version)
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

local function end_take(number, operation)
  local before = read_takes(number)
  if #before > 0 then write_takes(room, number, read_pass(number), before, takes_of_others(before, operation)) end
end

-- More time for the same seats makes no new version of the seat map; a hold's end only moves ahead.
local function is_newer(number, pass, until_ms, quantity)
  if version ~= pass.seats_version then return version > pass.seats_version end
  return quantity == pass.reserved_seats and until_ms ~= nil
    and until_ms > deadline_of(number)
end

-- Tickets whose pass, and whose deadline, is to be written.
local changed, moved = {}, {}

-- What the log is to tell: tickets that have the same now, one after the other, are one entry.
local told = {}

local function tell_together(number, until_ms, quantity)
  local last = told[#told]
  if not last or last.until_ms ~= until_ms or last.quantity ~= quantity then
    last = { until_ms = until_ms, quantity = quantity, numbers = {} }
    told[#told + 1] = last
  end
  last.numbers[#last.numbers + 1] = whole(number)
end

local function log_reservations()
  for _, same in ipairs(told) do
    local until_ms, numbers = same.until_ms and whole(same.until_ms) or '-', table.concat(same.numbers, ',')
    append(room, in_log, string.format('reserved\t%s\t%d\t', until_ms, same.quantity), numbers)
  end
end

local function set_reservation(number, pass, until_ms, quantity)
  local takes = read_takes(number)
  local is_same = quantity == pass.reserved_seats and (not until_ms or deadline_of(number) == until_ms)
  pass.seats_version = version
  if not is_same then
    count_in_sums(room, -1, takes, pass)
    pass.reserved_seats = quantity
    count_in_sums(room, 1, takes, pass)
    set_deadline(number, until_ms or pass.session_deadline)
    moved[#moved + 1] = number
    tell_together(number, until_ms, quantity)
  end
  changed[#changed + 1] = number
end

-- False when somebody reserved who is not on the floor any more.
local function tell_reservation(number, until_ms, quantity)
  local pass = read_pass(number)
  if not pass or is_overdue(room, number) then
    local ticket = read_ticket(number)
    if ticket then expire_if_overdue(room, ticket, in_log) end
    return until_ms == nil
  end
  if is_newer(number, pass, until_ms, quantity) then set_reservation(number, pass, until_ms, quantity) end
  return true
end

local function learn_counts()
  if version <= room.stockVersion then return end
  local stock_before, was_sold_out = room.stock, is_sold_out(room)
  room.stockVersion, room.stock, room.heldSeats = version, stock, held_seats
  local has_flipped = is_sold_out(room) ~= was_sold_out
  if stock == stock_before and not has_flipped then return end
  local flip = has_flipped and ',"soldOut":' .. tostring(not was_sold_out) or ''
  append(room, in_log, 'changed\t{"by":"seats","stock":' .. stock .. flip .. '}')
end

-- What the results say, by their index: a table for each of them would take longer than reading it.
local numbers, untils, quantities, operations = {}, {}, {}, {}
local count = 0
for number, until_ms, quantity, operation in string.gmatch(ARGV[7], '(%d+) (%S+) (%d+) ([^\n]*)\n') do
  count = count + 1
  numbers[count], untils[count], quantities[count], operations[count] = number, until_ms, tonumber(quantity), operation
end
if count ~= tonumber(ARGV[6]) then return redis.error_reply('ERR a result cannot be read') end
if count > 0 then
  fetch_passes(numbers)
  fetch_takes(numbers)
  fetch_deadlines(room, numbers)
end
local reply = { 0 }
for i = 1, count do
  local number = tonumber(numbers[i])
  end_take(number, operations[i])
  if untils[i] ~= '=' and not tell_reservation(number, tonumber(untils[i]), quantities[i]) then
    reply[#reply + 1] = number
  end
end
write_passes(changed)
write_deadlines(moved)
log_reservations()
learn_counts()
save_room(room)
reply[1] = room.seq
return reply
