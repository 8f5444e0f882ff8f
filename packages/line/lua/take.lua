--- include: room, ticket, deadline, pass, takes
--[[
  Lets claims through to the ledger, in the order given, as far as everybody else on the floor then still gets the seats
  they took or are promised. Logs nothing: the ledger decides, and settle.lua tells how.

  Keys   those of the room, see includes/keys.lua
  Args   1 epoch, 2 seen_seq   what the caller knows of the room
         3 take_ms             how long a take waits to be settled
         4 takes_max           most takes of one ticket at a time
         5 count               of the requests
         6 requests            a line for each, between spaces: number, fence, quantity (0: about to give back what it
                               has), identity ('-' if the fence says enough), operation
  Reply  { seq, a line for each request that was refused: 'index stale', 'index no_time', 'index busy',
         'index sold_out' or 'index not_enough available'; and 'index short seconds' for each that was let through and
         may not last a whole reservation's time }
  Holds  M28 the end of a visit · M21 promises · M22 what takes of one ticket cost · M23 overdue takes return · M25 giving back
]]
local RETURN_MAX = 100
local take_ms, takes_max = tonumber(ARGV[3]), tonumber(ARGV[4])
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

local function counts(pass, number, fence, identity)
  if pass.fence ~= fence or is_overdue(room, number) then return false end
  return identity == '-' or pass.identity == identity
end

-- Seats that a ticket may have beside those it has.
local function left_for(takes, reserved_seats)
  if not room.stock or room.stockAware == 0 then return math.huge end
  local is_theirs = is_promised(takes, reserved_seats)
  local taken_by_others = room.taken - cost_of(takes, reserved_seats)
  local promised_to_others = room.promised - (is_theirs and 1 or 0)
  local left = room.stock - taken_by_others - promised_to_others
  -- A claim that the stock tells of already and that is not settled yet counts twice: a promise is kept all the same.
  return is_theirs and math.max(left, math.min(1, room.stock)) or left
end

local function is_repeated(takes, quantity, operation)
  for i = 1, #takes do
    if takes[i].operation == operation and takes[i].quantity == quantity then return true end
  end
  return false
end

-- Why the wanted takes are refused in the place of those before; nil when they are not.
local function refusal(before, wanted, reserved_seats)
  if #wanted > takes_max then return 'busy' end
  local cost, left = cost_of(wanted, reserved_seats), left_for(before, reserved_seats)
  if cost <= cost_of(before, reserved_seats) or cost <= left then return nil end
  if #wanted > 1 then return 'busy' end
  if is_sold_out(room) then return 'sold_out' end
  return 'not_enough ' .. reserved_seats + math.max(0, left)
end

-- Whole seconds that a reservation may last which is made now: the same as secondsLeft in gate.ts.
local function seconds_left(pass)
  return math.floor((pass.session_deadline - room.now) / 1000) + room.reservationSeconds
end

-- Why nothing was taken, or that the time is short; nil when there is nothing to tell.
local function take(number, fence, quantity, identity, operation)
  local pass = read_pass(number)
  if not pass or (quantity > 0 and not counts(pass, number, fence, identity)) then return 'stale' end
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

-- What the requests say, by their index: a table for each of them would take longer than reading it.
local numbers, fences, quantities, identities, operations = {}, {}, {}, {}, {}
local count = 0
for number, fence, quantity, identity, operation in string.gmatch(ARGV[6], '(%d+) (%S+) (%d+) (%S+) ([^\n]*)\n') do
  count = count + 1
  numbers[count], fences[count], quantities[count] = number, tonumber(fence), tonumber(quantity)
  identities[count], operations[count] = identity, operation
end
-- A request of which the reply says nothing was let through: none may be overlooked.
if count ~= tonumber(ARGV[5]) then return redis.error_reply('ERR a request cannot be read') end

return_takes(room, RETURN_MAX)
if count > 0 then
  fetch_passes(numbers)
  fetch_takes(numbers)
  fetch_deadlines(room, numbers)
end
local told = {}
for i = 1, count do
  local word = take(tonumber(numbers[i]), fences[i], quantities[i], identities[i], operations[i])
  if word then told[#told + 1] = i .. ' ' .. word end
end
save_room(room)
return { room.seq, table.concat(told, '\n') }
