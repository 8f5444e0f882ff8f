--- include: room, ticket, end-ticket, presence, pass, takes, bucket
--[[
  The parts of an admission, in the order in which admit.lua calls them. `step.left` counts the tickets that may still be
  touched (M6), and `step.lines` collects the lines of the answer.
]]
-- Lua cannot pass more than some thousand arguments to one call.
local HEADS_MAX = 1000

local function expire(room, step, members, state)
  for _, member in ipairs(members) do
    local number = number_of(member)
    end_ticket(room, read_ticket(number), state, step.operation)
    step.lines[#step.lines + 1] = 'ended ' .. number .. ' ' .. END_REASONS[state]
  end
  step.left = step.left - #members
end

-- On the floor past the deadline (M8).
local function expire_floor(room, step)
  expire(room, step, call('ZRANGEBYSCORE', key.floor, '-inf', room.now, 'LIMIT', 0, step.left), 't')
end

-- Away past the grace time (L17).
local function expire_away(room, step)
  local before = '(' .. (room.now - room.loadedAt)
  expire(room, step, call('ZRANGEBYSCORE', key.away, '-inf', before, 'LIMIT', 0, step.left), 'n')
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
  if step.left > 0 then expire(room, step, call('ZRANGE', key.line, 0, step.left - 1), state) end
  if step.left > 0 then expire(room, step, call('ZRANGE', key.away, 0, step.left - 1), state) end
end

-- Whether the ledger is too far behind the log (M19).
local function is_unfollowed(room)
  return room.followWithinMs and room.seq > room.trimmedSeq
    and room.now - room.unfollowedSince > room.followWithinMs
end

-- Why no ticket may be admitted, whatever the capacity (M7, M19); nil when tickets may.
local function reason_to_hold(room)
  if room.paused == 1 then return 'paused' end
  if room.held then return 'held' end
  if is_unfollowed(room) then return 'unfollowed' end
  if room.now < room.opensAt then return 'not_open' end
  if room.now > room.closesAt then return 'closed' end
  if is_sold_out(room) then return 'sold_out' end
  return nil
end

-- How many tickets fit now by capacity (M1), and by the stock beside what is taken and promised (M3).
local function free_slots(room)
  local slots = room.capacity - call('ZCARD', key.floor)
  if room.stock and room.stockAware == 1 then slots = math.min(slots, room.stock - room.taken - room.promised) end
  return slots
end

-- The ticket was not seen in time: it waits aside for the grace time (M5).
local function mark_away(room, step, ticket)
  local until_ms = room.now + room.graceSeconds * 1000
  ticket.state = 'Y'
  write_ticket(ticket)
  call('ZADD', key.away, until_ms - room.loadedAt, member_of(ticket.number))
  append(room, step.operation, 'away\t' .. ticket.number .. '\t' .. until_ms)
  step.lines[#step.lines + 1] = 'away ' .. ticket.number
end

-- Puts a ticket on the floor with a new pass, and takes a token (M2, M8, M9, M11).
local function let_in(room, step, ticket)
  local is_active = room.claimSeconds == 0
  local deadline = room.now + (is_active and room.sessionSeconds or room.claimSeconds) * 1000
  local fence = fence_of(room.epoch, room.seq + 1)
  ticket.state = is_active and 'C' or 'A'
  write_ticket(ticket)
  call('ZADD', key.floor, deadline, member_of(ticket.number))
  local pass = {
    fence = fence, session_deadline = deadline, reserved_seats = 0, seats_version = room.loadedVersion,
    identity = ticket.identity, extension = '',
  }
  write_pass(ticket.number, pass)
  count_in_sums(room, 1, NO_TAKES, pass)
  if not is_active then room.admitted = room.admitted + 1 end
  room.level = room.level - TOKEN
  append(room, step.operation,
    table.concat({ 'admitted', ticket.number, ticket.class, whole(fence), deadline, is_active and 1 or 0 }, '\t'))
  step.lines[#step.lines + 1] = table.concat(
    { 'admitted', ticket.number, ticket.class, whole(fence), deadline, room.now - ticket.joined_at }, ' ')
end

-- Takes tickets from the head of the line (M4) until slots, tokens or the batch are used up. An away ticket uses up only
-- the batch (M5).
local function admit_from_head(room, step)
  local may_enter = math.min(free_slots(room), tokens(room))
  while may_enter > 0 and step.left > 0 do
    local heads = call('ZRANGE', key.line, 0, math.min(may_enter, step.left, HEADS_MAX) - 1)
    if #heads == 0 then return end
    call('ZREM', key.line, unpack(heads))
    for _, member in ipairs(heads) do
      local ticket = read_ticket(number_of(member))
      if is_present(room, ticket) then
        let_in(room, step, ticket)
        may_enter = may_enter - 1
      else
        mark_away(room, step, ticket)
      end
    end
    step.left = step.left - #heads
  end
end

-- Whether another step could change something at this very moment (M6).
local function has_work(room, held_by)
  if call('ZCOUNT', key.floor, '-inf', room.now) > 0 then return true end
  if call('ZCOUNT', key.away, '-inf', '(' .. (room.now - room.loadedAt)) > 0 then return true end
  if call('ZCOUNT', key.take_ends, '-inf', room.now) > 0 then return true end
  if reason_to_clear(room) then return call('ZCARD', key.line) + call('ZCARD', key.away) > 0 end
  return not held_by and call('ZCARD', key.line) > 0 and math.min(free_slots(room), tokens(room)) > 0
end

local function first_score(name)
  return tonumber(call('ZRANGE', name, 0, 0, 'WITHSCORES')[2])
end

-- When a step could next change something by itself (M18), given that this one did all it could; '-' for never.
local function next_at(room, held_by)
  local soonest = math.huge
  local waiting, away = call('ZCARD', key.line), call('ZCARD', key.away)
  local first_deadline, first_return = first_score(key.floor), first_score(key.away)
  if first_deadline then soonest = first_deadline end
  if first_return then soonest = math.min(soonest, room.loadedAt + first_return + 1) end
  if waiting + away > 0 and room.now <= room.closesAt then soonest = math.min(soonest, room.closesAt + 1) end
  if waiting > 0 and held_by == 'not_open' and not is_sold_out(room) then soonest = math.min(soonest, room.opensAt) end
  if waiting > 0 and not held_by then
    local chance = free_slots(room) > 0 and next_token_at(room) or first_score(key.take_ends)
    soonest = math.min(soonest, chance or soonest)
  end
  return soonest < math.huge and whole(soonest) or '-'
end
