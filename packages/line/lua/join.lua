--- include: room, ticket, expire, presence, draw, promote, group, view
--[[
  Draws tickets, in the order given. An identity that has a live ticket gets that ticket, which a code may move forward.

  Almost all requests are ordinary: an identity of 16 bytes, class 0, no code, no limit, no other
  ticket of its device, no proof, no group, no name to show. An ordinary request is its log text alone and is never parsed. Only the others, the special ones, are listed in Args 3 and parsed.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           3 special             'index class limit_max held proof until for_ms group;' for each special request. limit_max '-':
                                 the request has no limit key; 0: it is counted without a limit. held '-': the device drew
                                 no ticket before; else 'max,number,number…'. proof '-': none is needed; '?': it is
                                 missing; else what the join spends, remembered until `until` and for `for_ms`. group '-', or the number
                                 of a visitor to stand together with
           then for each request its log text: identity, code, limit_key, shown, profile, between tabs, '' for none
  Returns  { now, answers }, one answer a line: 'joined number place rank waiting seq', or '+' when each of these is one
           more than in the line before; 'present' and a view, or 'drawn' and a
           view for a new ticket that stands with a group; or the word of the refusal and seq
  Log      joined, one for each ticket drawn ('+' as above); grouped; expired, back or classed, for the ticket an identity already had
  Rules    L1 one live ticket for each identity · L2 numbers count up · L4 a new ticket after the end · L5 sale window
           J1 pre-queue · L6 maxWaiting · L7 a code is good for one ticket · L8 limits · L12 L13 L14 priority · L15 seen
           L21 log bound · L32 the identity's overdue ticket expires first · L91 L92 proofs are spent once
           L123 tickets of one device · L143 a code moves a live ticket forward · L150 L153 groups
]]
local REQUESTS_FROM = 4
local ORDINARY = { class = 0, code = '', limit_key = '', shown = '' }
-- How many proofs a join forgets, at most, for each that it spends; and how far the clocks of servers may be apart.
local FORGOTTEN_MAX, CLOCKS_APART_MS = 4, 60000
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

-- Whether so many of the tickets that a device drew before are live that it gets no other.
local function holds_enough(held)
  write_drawn()
  local max, live = nil, 0
  for word in string.gmatch(held, '%d+') do
    if not max then
      max = tonumber(word)
    else
      local ticket = read_ticket(tonumber(word))
      if ticket then expire_if_overdue(room, ticket, 'join') end
      if ticket and is_live(ticket) then live = live + 1 end
    end
  end
  return live >= max
end

-- At 80 % of its bound; the rest is for leaving, entering and expiry.
local function is_log_nearly_full()
  return (room.seq - room.trimmedSeq) * 10 >= room.logMax * 8
end

-- The line is written first, because a group may be anywhere in it.
local function group_of_drawn(number)
  write_drawn()
  return group_refusal(room, number, nil)
end

local function refusal(request)
  if room.now < math.min(room.opensAt, room.joinsFrom or room.opensAt) then return 'not_started' end
  if room.now > room.closesAt then return 'sale_ended' end
  if room.drawProgress == 'sealed' and request.class > 0 then return 'drawing' end
  if is_sold_out(room) and room.keepLineWhenSoldOut == 0 then return 'sold_out' end
  if is_log_nearly_full() then return 'log_full' end
  local waiting, away = count_waiting()
  if waiting >= room.maxWaiting or waiting + away >= 2 * room.maxWaiting then return 'full' end
  if request == ORDINARY then return nil end
  local is_limited = request.limit_key ~= '' and request.limit_max > 0
  local sharing = is_limited and tonumber(call('HGET', key.limits, request.limit_key) or 0)
  if sharing and sharing >= request.limit_max then return 'limit_reached' end
  if request.held ~= '-' and holds_enough(request.held) then return 'held' end
  if request.code ~= '' and call('SISMEMBER', key.codes, request.code) == 1 then return 'code_used' end
  local refused = request.group and group_of_drawn(request.group)
  if refused then return refused end
  if request.proof == '-' then return nil end
  if request.proof == '?' then return 'proof_missing' end
  local spent_until = tonumber(call('ZSCORE', key.spent, request.proof) or -1)
  return spent_until >= request.proof_until and 'proof_spent' or nil
end

-- Remembers a proof as spent, and forgets those that cannot count any more.
local function spend(request)
  if request.proof == '-' then return end
  local until_ms = math.max(request.proof_until, room.now + request.proof_for)
  call('ZADD', key.spent, until_ms, request.proof)
  local over = call('ZRANGEBYSCORE', key.spent, '-inf', room.now - CLOCKS_APART_MS, 'LIMIT', 0, FORGOTTEN_MAX)
  if #over > 0 then call('ZREM', key.spent, unpack(over)) end
end

-- Stores what a special request brings: its code, the name to show, its share of a limit, its proof.
local function store_special(number, request)
  if request == ORDINARY then return end
  spend(request)
  if request.code ~= '' then call('SADD', key.codes, request.code) end
  if request.shown ~= '' then call('HSET', key.shown, number, request.shown) end
  if request.limit_key == '' then return end
  call('HINCRBY', key.limits, request.limit_key, 1)
  call('HSET', key.limit_of, number, request.limit_key)
end

local function promotion_refusal(ticket, code)
  if ticket.grouped then return 'in_group' end
  if room.drawProgress == 'sealed' then return 'drawing' end
  if is_log_nearly_full() then return 'log_full' end
  return call('SISMEMBER', key.codes, code) == 1 and 'code_used' or nil
end

-- The answer for an identity that has a live ticket, which is marked as seen; nil when it has none.
local function join_again(number, identity, request)
  write_drawn()
  local ticket = ticket_of(number, identity)
  if not ticket then return nil end
  expire_if_overdue(room, ticket, 'join')
  if not is_live(ticket) then return nil end
  local is_promoted = request.code ~= '' and may_gain(ticket, request.class)
  local refused = is_promoted and promotion_refusal(ticket, request.code)
    or request.group and group_refusal(room, request.group, ticket)
  if refused then return refused .. ' ' .. room.seq end
  local is_back = see(room, ticket, 'join')
  if is_promoted then promote(room, ticket, request.class, request.code, 'join') end
  if request.group then ticket = stand_together(room, request.group, ticket, 'join') end
  return 'present ' .. view(room, ticket, is_back)
end

-- The special requests, by their index.
local function read_special()
  local special = {}
  local fields = '(%d+) (%d) ([%d-]+) ([%d,-]+) ([%w_:?-]+) (%d+) (%d+) ([%d-]+);'
  for index, class, limit_max, held, proof, proof_until, proof_for, group in string.gmatch(ARGV[3], fields) do
    local text = ARGV[REQUESTS_FROM - 1 + index]
    local identity, code, limit_key, shown = string.match(text, '^([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t')
    special[tonumber(index)] = {
      identity = identity, class = tonumber(class), code = code, limit_key = limit_key, limit_max = tonumber(limit_max),
      shown = shown, held = held, proof = proof, proof_until = tonumber(proof_until), proof_for = tonumber(proof_for),
      group = tonumber(group),
    }
  end
  return special
end

-- The key of each identity (identity_key). An ordinary request begins with its identity, so its key is cut out of the text.
local function read_keys(special)
  local keys = {}
  for i = 1, #ARGV - REQUESTS_FROM + 1 do
    keys[i] = special[i] and identity_key(special[i].identity) or string.sub(ARGV[REQUESTS_FROM - 1 + i], 3, 16)
  end
  return keys
end

local special = read_special()
local keys = read_keys(special)
local known = #keys > 0 and call('HMGET', key.identities, unpack(keys)) or {}
-- Tickets drawn by this step: `known` was read before them.
local drawn_here = {}

local answers = {}
-- The seq of the request before, if it drew the last ticket of the line. The ticket right behind it is then written as '+'.
local last_seq = nil
for i, identity_key in ipairs(keys) do
  local text = ARGV[REQUESTS_FROM - 1 + i]
  local request = special[i] or ORDINARY
  local number = drawn_here[identity_key] or (known[i] and number_of(known[i]))
  answers[i] = number and join_again(number, request.identity or string.sub(text, 1, 16), request)
  local refused = not answers[i] and refusal(request)
  local stands_last = false
  if refused then
    answers[i] = refused .. ' ' .. room.seq
  elseif not answers[i] then
    local place, rank
    number, place, rank = draw(room, identity_key, request.identity or text, request.class)
    drawn_here[identity_key] = number
    store_special(number, request)
    stands_last = request.class == 0 and place == number
    if stands_last and last_seq == room.seq then
      append(room, 'join', 'joined\t+\t', text)
      answers[i] = '+'
    else
      place = exact(place)
      local line = string.format('joined\t%d\t%d\t%s\t%d\t', number, request.class, place, rank)
      local seq = append(room, 'join', line, text)
      if request.group then
        write_drawn()
        stands_last = false
        answers[i] = 'drawn ' .. view(room, stand_together(room, request.group, read_ticket(number), 'join'))
      else
        answers[i] = string.format('joined %d %s %d %d %d', number, place, rank, count_waiting(), seq)
      end
    end
  end
  last_seq = stands_last and room.seq or nil
end
write_drawn()
save_room(room)
return { room.now, table.concat(answers, '\n') }
