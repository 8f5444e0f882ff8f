--- include: room, ticket, expire, deadline, pass, takes, text
--[[
  Tells the gate the ledger's word: the outcome of claims, and the seat counts after them.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           3 version, 4 stock, 5 held_seats   of the seat map
           6 count               number of results
           7 results             one line each, 'number until quantity operation': the ticket's reservation now.
                                 until is '=' when the claim failed and the ticket keeps what it had, '-' when the ticket
                                 has no reservation any more. A ticket occurs once, besides lines with '='.
  Returns  { seq, number of a ticket that reserved but had left the floor, … }
  Log      reserved, one for consecutive tickets with the same deadline and quantity; changed, when stock or sold-out changed
  Rules    M14 deadlines · M24 takes end, older versions are ignored · M26 the log tells stock and sold out
]]
local version, stock, held_seats = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
-- The operation in the log. The client's own operation id stays out of it: the log is public.
local in_log = 'seats-' .. whole(version)
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

local function end_take(number, operation)
  local before = read_takes(number)
  if #before > 0 then write_takes(room, number, read_pass(number), before, takes_of_others(before, operation)) end
end

-- More time for the same seats makes no new version of the seat map, so within one version a later deadline is newer.
local function is_newer(number, pass, until_ms, quantity)
  if version ~= pass.seats_version then return version > pass.seats_version end
  return quantity == pass.reserved_seats and until_ms ~= nil
    and until_ms > deadline_of(number)
end

-- Numbers of tickets with a changed pass, and with a changed deadline. Both are written together at the end.
local changed, moved = {}, {}

-- Entries for the log, still open for the next ticket if it has the same deadline and quantity.
local entries = {}

local function note_reservation(number, until_ms, quantity)
  local last = entries[#entries]
  if not last or last.until_ms ~= until_ms or last.quantity ~= quantity then
    last = { until_ms = until_ms, quantity = quantity, numbers = {} }
    entries[#entries + 1] = last
  end
  last.numbers[#last.numbers + 1] = whole(number)
end

local function log_reservations()
  for _, same in ipairs(entries) do
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
    note_reservation(number, until_ms, quantity)
  end
  changed[#changed + 1] = number
end

-- False when the ticket reserved but is not on the floor any more.
local function apply_result(number, until_ms, quantity)
  local pass = read_pass(number)
  if not pass or is_overdue(room, number) then
    local ticket = read_ticket(number)
    if ticket then expire_if_overdue(room, ticket, in_log) end
    return until_ms == nil
  end
  if is_newer(number, pass, until_ms, quantity) then set_reservation(number, pass, until_ms, quantity) end
  return true
end

local function update_counts()
  if version <= room.stockVersion then return end
  local stock_before, was_sold_out = room.stock, is_sold_out(room)
  room.stockVersion, room.stock, room.heldSeats = version, stock, held_seats
  local has_flipped = is_sold_out(room) ~= was_sold_out
  if stock == stock_before and not has_flipped then return end
  local flip = has_flipped and ',"soldOut":' .. tostring(not was_sold_out) or ''
  append(room, in_log, 'changed\t{"by":"seats","stock":' .. stock .. flip .. '}')
end

-- The results, in parallel lists: a table for each result would take Lua longer than reading it.
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
  if untils[i] ~= '=' and not apply_result(number, tonumber(untils[i]), quantities[i]) then
    reply[#reply + 1] = number
  end
end
write_passes(changed)
write_deadlines(moved)
log_reservations()
update_counts()
save_room(room)
reply[1] = room.seq
return reply
