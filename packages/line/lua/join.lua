--- include: room, ticket, settle, presence, draw, view
--[[
  Draws tickets, in the order given; an identity that has a live ticket gets that one.

  Keys   those of the room, see includes/keys.lua
  Args   1 epoch, 2 seen_seq   what the caller knows of the room
         then for each request: identity, class, limit_max ('' without a limit), and its details as the log keeps them:
         code, limit_key, shown, profile, between tabs, '' where there is none
  Reply  { now, answer, … }, an answer being
         'joined number place rank waiting seq', 'present' and a view, or the word of the refusal and seq
  Holds  L1 one live ticket for each identity · L2 numbers count up · L4 after the end a new one at the back
         L5 sale window · L6 maxWaiting · L7 a code is good for one ticket · L8 limits · L12 to L14 priority · L21 log bound
]]
local REQUEST_ARGS = 4
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

local function refusal(code, limit_key, limit_max)
  if room.now < room.opensAt then return 'not_started' end
  if room.now > room.closesAt then return 'sale_ended' end
  if is_sold_out(room) and room.keepLineWhenSoldOut == 0 then return 'sold_out' end
  if (room.seq - room.trimmedSeq) * 10 >= room.logMax * 8 then return 'log_full' end
  local waiting, away = count_waiting()
  if waiting + away >= room.maxWaiting then return 'full' end
  if limit_key ~= '' and tonumber(call('HGET', key.limits, limit_key) or 0) >= limit_max then return 'limit_reached' end
  if code ~= '' and call('SISMEMBER', key.codes, code) == 1 then return 'code_used' end
  return nil
end

local function take(number, code, limit_key, shown)
  if code ~= '' then call('SADD', key.codes, code) end
  if shown ~= '' then call('HSET', key.shown, number, shown) end
  if limit_key == '' then return end
  call('HINCRBY', key.limits, limit_key, 1)
  call('HSET', key.limit_of, number, limit_key)
end

-- The live ticket of an identity, which thereby counts as seen; nil when it has none.
local function live_ticket(number, identity)
  write_drawn()
  local ticket = ticket_of(number, identity)
  if not ticket then return nil end
  settle(room, ticket, 'join')
  if not is_live(ticket) then return nil end
  see(room, ticket, 'join')
  return ticket
end

-- Most tickets have neither code nor limit nor a name to show, which three tabs tell.
local function read_details(details)
  if string.byte(details, 3) == 9 and string.byte(details, 2) == 9 and string.byte(details, 1) == 9 then
    return '', '', ''
  end
  return string.match(details, '^([^\t]*)\t([^\t]*)\t([^\t]*)\t')
end

local keys = {}
for i = 3, #ARGV, REQUEST_ARGS do keys[#keys + 1] = identity_key(ARGV[i]) end
local known = #keys > 0 and call('HMGET', key.identities, unpack(keys)) or {}
local drawn_here = {}

local answers = { room.now }
for i = 1, #keys do
  local at = 3 + (i - 1) * REQUEST_ARGS
  local identity = ARGV[at]
  local class, details = ARGV[at + 1], ARGV[at + 3]
  local code, limit_key, shown = read_details(details)
  local number = drawn_here[identity] or (known[i] and unpack_number(known[i]))
  local present = number and live_ticket(number, identity)
  local refused = not present and refusal(code, limit_key, tonumber(ARGV[at + 2]))
  if present then
    answers[i + 1] = 'present ' .. view(room, present)
  elseif refused then
    answers[i + 1] = refused .. ' ' .. room.seq
  else
    local place, rank
    number, place, rank = draw(room, identity, tonumber(class))
    drawn_here[identity] = number
    take(number, code, limit_key, shown)
    place = exact(place)
    local line = string.format('joined\t%d\t%s\t%s\t%s\t%d\t', number, identity, class, place, rank)
    local seq = append(room, 'join', line, details)
    answers[i + 1] = string.format('joined %d %s %d %d %d', number, place, rank, count_waiting(), seq)
  end
end
write_drawn()
save_room(room)
return answers
