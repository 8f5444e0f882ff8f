--- include: room, ticket, end-ticket, presence, pass, takes, bucket
--[[
  The parts of an admission, in the order in which admit.lua calls them. `step.left` counts the tickets that may still be
  touched (M6), and `step.lines` collects the lines of the answer.
]]
-- Lua cannot pass more than some thousand arguments to one call, and an entry of the log has at most so many tickets.
local TOGETHER_MAX = 1000

-- Expires the tickets that `find` returns, given how many it may return, until it finds no more.
local function expire(room, step, state, find)
  while step.left > 0 do
    local members = find(math.min(step.left, TOGETHER_MAX))
    if #members == 0 then return end
    expire_many(room, members, state, step.operation)
    for _, member in ipairs(members) do
      step.lines[#step.lines + 1] = 'ended ' .. number_of(member) .. ' ' .. END_REASONS[state]
    end
    step.left = step.left - #members
  end
end

-- On the floor past the deadline (M8).
local function expire_floor(room, step)
  expire(room, step, 't', function (max) return call('ZRANGEBYSCORE', key.floor, '-inf', room.now, 'LIMIT', 0, max) end)
end

-- Why every waiting ticket must end (M15, M16), as the letter of the reason; nil when none must.
local function reason_to_clear(room)
  if room.now > room.closesAt then return 'e' end
  if is_sold_out(room) and room.keepLineWhenSoldOut == 0 then return 's' end
  return nil
end

local function expire_line(room, step)
  local state = reason_to_clear(room)
  if not state then return end
  for _, name in ipairs({ key.line, key.away, key.passed }) do
    expire(room, step, state, function (max) return call('ZRANGE', name, 0, max - 1) end)
  end
end

-- Whether the ledger is too far behind the log (M19).
local function is_unfollowed(room)
  return room.followWithinMs and room.seq > room.trimmedSeq
    and room.now - room.unfollowedSince > room.followWithinMs
end

-- Why no ticket may be admitted, whatever the capacity (M7, M19, J8); nil when tickets may.
local function reason_to_hold(room)
  if room.paused == 1 then return 'paused' end
  if room.held then return 'held' end
  if is_unfollowed(room) then return 'unfollowed' end
  if room.now < room.opensAt then return 'not_open' end
  if room.now > room.closesAt then return 'closed' end
  if is_undrawn(room) then return 'not_drawn' end
  if is_sold_out(room) then return 'sold_out' end
  return nil
end

-- How many tickets fit now by capacity (M1), and by the stock beside what is taken and promised (M3).
local function free_slots(room)
  local slots = room.capacity - call('ZCARD', key.floor)
  if room.stock and room.stockAware == 1 then slots = math.min(slots, room.stock - room.taken - room.promised) end
  return slots
end

-- How many tickets this step may still admit: by slots, and by tokens or what is left of the operator's count (M2, M29).
local function may_enter(room, step)
  return math.min(free_slots(room), step.operator_count or tokens(room))
end

-- The heads of the line that were not seen in time wait aside (M5). Those right behind each other share an entry, which is
-- written before the next admission: no present ticket is passed over.
local function log_absent(room, step)
  if #step.absent == 0 then return end
  local ranks = {}
  for i = 1, #step.absent do ranks[i] = 0 end
  append_many(room, step.operation, 'away', step.absent, ranks)
  step.absent = {}
end

local function mark_away(room, step, ticket)
  ticket.state = 'Y'
  write_ticket(ticket)
  call('ZADD', key.away, exact(ticket.place), member_of(ticket.number))
  note_away(ticket.number, ticket.seen)
  step.absent[#step.absent + 1] = ticket.number
  if #step.absent == TOGETHER_MAX then log_absent(room, step) end
  step.lines[#step.lines + 1] = 'away ' .. ticket.number
end

-- Puts a ticket on the floor with a new pass. It takes a token, or one of the operator's count (M2, M8, M9, M11, M29).
local function let_in(room, step, ticket)
  local is_active = room.claimSeconds == 0
  local deadline = room.now + (is_active and room.sessionSeconds or room.claimSeconds) * 1000
  local fence = fence_of(room.epoch, room.seq + 1)
  ticket.state = is_active and 'C' or 'A'
  write_ticket(ticket)
  room.passedPlace = math.max(room.passedPlace, ticket.place)
  call('ZADD', key.floor, deadline, member_of(ticket.number))
  local pass = {
    fence = fence, session_deadline = deadline, reserved_seats = 0, seats_version = room.loadedVersion,
    identity = ticket.identity, extension = '',
  }
  write_pass(ticket.number, pass)
  count_in_sums(room, 1, NO_TAKES, pass)
  if not is_active then room.admitted = room.admitted + 1 end
  local by = ''
  if step.operator_count then
    step.operator_count, by = step.operator_count - 1, 'operator'
  else
    room.level = room.level - TOKEN
  end
  append(room, step.operation,
    table.concat({ 'admitted', ticket.number, ticket.class, whole(fence), deadline, is_active and 1 or 0, by }, '\t'))
  step.lines[#step.lines + 1] = table.concat(
    { 'admitted', ticket.number, ticket.class, whole(fence), deadline, room.now - ticket.joined_at }, ' ')
end

-- Takes tickets from the head of the line (M4) until slots, tokens (or the operator's count) or the batch are used up. An away
-- ticket uses up only the batch (M5).
local function admit_from_head(room, step)
  local wanted = may_enter(room, step)
  while wanted > 0 and step.left > 0 do
    local heads = call('ZRANGE', key.line, 0, math.min(wanted, step.left, TOGETHER_MAX) - 1)
    if #heads == 0 then break end
    call('ZREM', key.line, unpack(heads))
    for _, member in ipairs(heads) do
      local ticket = read_ticket(number_of(member))
      if is_present(room, ticket) then
        log_absent(room, step)
        let_in(room, step, ticket)
        wanted = wanted - 1
      else
        mark_away(room, step, ticket)
      end
    end
    step.left = step.left - #heads
  end
  log_absent(room, step)
end

-- Whether another step could change something at this very moment (M6).
local function has_work(room, step, held_by)
  if call('ZCOUNT', key.floor, '-inf', room.now) > 0 then return true end
  if call('ZCOUNT', key.take_ends, '-inf', room.now) > 0 then return true end
  if reason_to_clear(room) then return call('ZCARD', key.line) + count_away() > 0 end
  return not held_by and call('ZCARD', key.line) > 0 and may_enter(room, step) > 0
end

local function first_score(name)
  return tonumber(call('ZRANGE', name, 0, 0, 'WITHSCORES')[2])
end

-- When a step could next change something by itself (M18), given that this one did all it could; '-' for never.
local function next_at(room, held_by)
  local soonest = math.huge
  local waiting = call('ZCARD', key.line)
  local first_deadline = first_score(key.floor)
  if first_deadline then soonest = first_deadline end
  if waiting + count_away() > 0 and room.now <= room.closesAt then soonest = math.min(soonest, room.closesAt + 1) end
  if waiting > 0 and held_by == 'not_open' and not is_sold_out(room) then soonest = math.min(soonest, room.opensAt) end
  if waiting > 0 and not held_by then
    local chance = free_slots(room) > 0 and next_token_at(room) or first_score(key.take_ends)
    soonest = math.min(soonest, chance or soonest)
  end
  return soonest < math.huge and whole(soonest) or '-'
end
