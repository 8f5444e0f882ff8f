--- include: room, ticket, deadline, pass, takes
--[[
  The gate: lets claims through to the ledger, in the order given, as long as every other ticket on the floor still gets
  the seats it took or is promised. The ledger decides each claim; settle.lua brings its word back.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           3 take_ms             how long a take waits to be settled
           4 takes_max           most takes of one ticket at a time
           5 count               number of requests
           6 requests            one line each, 'number fence quantity identity operation'. quantity 0: the ticket is
                                 about to give its seats back; identity '-': only the fence is checked. A number from
                                 2^31 on is no ticket but a sale outside the line, which has neither pass nor promise
  Returns  { seq, lines }. A request without a line was let through. 'index stale', 'index no_time', 'index busy',
           'index sold_out' and 'index not_enough available' are refusals; 'index short seconds' was let through, with
           less than a whole reservation's time left
  Log      nothing
  Rules    M21 promises and passes · M22 cost of one ticket's takes · M23 overdue takes return · M25 giving back
           M28 the end of the time on the floor · B166 sales outside the line
]]
local RETURN_MAX = 100
-- The same as OUTSIDE_FROM in gate.ts.
local OUTSIDE_FROM = 2 ^ 31
local take_ms, takes_max = tonumber(ARGV[3]), tonumber(ARGV[4])
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

-- Whether a pass is valid for this fence and identity (M20, M21).
local function is_valid(pass, number, fence, identity)
  if pass.fence ~= fence or is_overdue(room, number) then return false end
  return identity == '-' or pass.identity == identity or stands_with(number, identity)
end

-- Seats that a ticket may take in addition to those it has (M21).
local function left_for(takes, reserved_seats)
  if not room.stock or room.stockAware == 0 then return math.huge end
  local has_promise = is_promised(takes, reserved_seats)
  local taken_by_others = room.taken - cost_of(takes, reserved_seats)
  local promised_to_others = room.promised - (has_promise and 1 or 0)
  local left = room.stock - taken_by_others - promised_to_others
  -- An unsettled claim that the stock already reflects counts twice for a moment. The promise of one seat still holds.
  return has_promise and math.max(left, math.min(1, room.stock)) or left
end

local function is_repeated(takes, quantity, operation)
  for i = 1, #takes do
    if takes[i].operation == operation and takes[i].quantity == quantity then return true end
  end
  return false
end

-- Why a ticket may not replace its takes `before` by `wanted`; nil when it may.
local function refusal(before, wanted, reserved_seats)
  if #wanted > takes_max then return 'busy' end
  local cost, left = cost_of(wanted, reserved_seats), left_for(before, reserved_seats)
  if cost <= cost_of(before, reserved_seats) or cost <= left then return nil end
  if #wanted > 1 then return 'busy' end
  if is_sold_out(room) then return 'sold_out' end
  return 'not_enough ' .. reserved_seats + math.max(0, left)
end

-- A sale outside the line: it may have what no ticket took or is promised, and nothing is promised to it (B166).
local function take_outside(number, quantity, operation)
  local before = read_takes(number)
  -- Another sale that happens to have this number: one of them waits, or the two would cost only as much as one.
  if #takes_of_others(before, operation) > 0 then return 'busy' end
  local left = math.huge
  if room.stock and room.stockAware ~= 0 then left = room.stock - (room.taken - cost_of(before, 0)) - room.promised end
  if not is_repeated(before, quantity, operation) and quantity > left then
    return is_sold_out(room) and 'sold_out' or 'not_enough ' .. math.max(0, left)
  end
  write_takes(room, number, nil, before, { { quantity = quantity, ends_at = room.now + take_ms, operation = operation } })
  return nil
end

-- Whole seconds that a reservation made now may last (M28); the same as secondsLeft in gate.ts.
local function seconds_left(pass)
  return math.floor((pass.session_deadline - room.now) / 1000) + room.reservationSeconds
end

-- The request's line without its index: a refusal, or that the time is short; nil when it was simply let through.
local function take(number, fence, quantity, identity, operation)
  if number >= OUTSIDE_FROM then return take_outside(number, quantity, operation) end
  local pass = read_pass(number)
  if not pass or (quantity > 0 and not is_valid(pass, number, fence, identity)) then return 'stale' end
  local left = quantity > 0 and seconds_left(pass) or room.reservationSeconds
  if left < 1 then return 'no_time' end
  local before = read_takes(number)
  local wanted = takes_of_others(before, operation)
  wanted[#wanted + 1] = { quantity = quantity, ends_at = room.now + take_ms, operation = operation }
  local refused = not is_repeated(before, quantity, operation) and refusal(before, wanted, pass.reserved_seats)
  if refused then return refused end
  write_takes(room, number, pass, before, wanted)
  return left < room.reservationSeconds and 'short ' .. left or nil
end

-- The requests, in parallel lists: a table for each request would take Lua longer than reading it.
local numbers, fences, quantities, identities, operations = {}, {}, {}, {}, {}
local count = 0
for number, fence, quantity, identity, operation in string.gmatch(ARGV[6], '(%d+) (%S+) (%d+) (%S+) ([^\n]*)\n') do
  count = count + 1
  numbers[count], fences[count], quantities[count] = number, tonumber(fence), tonumber(quantity)
  identities[count], operations[count] = identity, operation
end
-- A request without a line in the reply counts as let through, so none may be skipped unread.
if count ~= tonumber(ARGV[5]) then return redis.error_reply('ERR a request cannot be read') end

return_takes(room, RETURN_MAX)
if count > 0 then
  fetch_passes(numbers)
  fetch_takes(numbers)
  fetch_deadlines(room, numbers)
end
local lines = {}
for i = 1, count do
  local line = take(tonumber(numbers[i]), fences[i], quantities[i], identities[i], operations[i])
  if line then lines[#lines + 1] = i .. ' ' .. line end
end
save_room(room)
return { room.seq, table.concat(lines, '\n') }
