--- include: room, ticket, pass, takes
--[[
  Ends a live ticket: removes it from the line, the away set or the floor, frees its slot and its share of a limit in the
  same step (M12), and logs the end. The record stays until the log is trimmed past the end (L22).
]]
-- The ticket no longer shares its limit (L8).
local function release_limit(number)
  local limit_key = call('HGET', key.limit_of, number)
  if not limit_key then return end
  call('HDEL', key.limit_of, number)
  if call('HINCRBY', key.limits, limit_key, -1) == 0 then call('HDEL', key.limits, limit_key) end
end

-- Visitors of groups who ended with their ticket in this step, until the end is logged.
local ended_with = {}

local function note_ended(seq)
  for _, number in ipairs(ended_with) do call('ZADD', key.ended, seq, member_of(number)) end
  ended_with = {}
end

-- A visitor no longer stands with a group: the record gets the letter of the end.
local function release_member(number, state)
  local own = read_ticket(number)
  own.state = state
  write_ticket(own)
  release_limit(number)
  call('HDEL', key.shown, number)
  call('HDEL', key.groups, whole(number))
  ended_with[#ended_with + 1] = number
  return own
end

-- Takes a live ticket out of everything but its record, which gets the state: D for completed, or the letter of an end
-- reason. Returns the rank it left from, nil when it had none. The caller logs the end.
local function remove_ticket(room, ticket, state)
  local member = member_of(ticket.number)
  local rank = nil
  if ticket.state == 'W' then
    rank = call('ZRANK', key.line, member)
    call('ZREM', key.line, member)
  elseif ticket.state == 'Y' then
    if call('ZREM', key.away, member) == 0 then call('ZREM', key.passed, member) end
  else
    call('ZREM', key.floor, member)
    local takes = read_takes(ticket.number)
    count_in_sums(room, -1, takes, read_pass(ticket.number))
    count_in_sums(room, 1, takes, nil)
    remove_pass(ticket.number)
    if ticket.state == 'A' then room.admitted = room.admitted - 1 end
  end

  release_limit(ticket.number)
  call('HDEL', key.shown, ticket.number)

  for _, number in ipairs(members_of(ticket)) do release_member(number, state) end
  if ticket.grouped then call('HDEL', key.groups, 'm' .. whole(ticket.number)) end
  ticket.state, ticket.grouped = state, false
  write_ticket(ticket)
  return rank
end

-- Ends one ticket. `entry` replaces the usual log entry, if given.
local function end_ticket(room, ticket, state, operation, entry)
  local rank = remove_ticket(room, ticket, state)
  local line = entry or state == 'D' and 'completed\t' .. ticket.number
    or 'expired\t' .. END_REASONS[state] .. '\t' .. ticket.number .. '\t' .. (rank or '-')
  local seq = append(room, operation, line)
  call('ZADD', key.ended, seq, member_of(ticket.number))
  note_ended(seq)
end

-- Expires many tickets for one reason and logs them together. All of them have a rank, or none has.
local function expire_many(room, members, state, operation)
  if #members == 0 then return end
  local numbers, ranks = {}, {}
  for i, member in ipairs(members) do
    numbers[i] = number_of(member)
    ranks[i] = remove_ticket(room, read_ticket(numbers[i]), state)
  end
  local seq = append(room, operation, table.concat({ 'expired', END_REASONS[state], table.concat(numbers, ','),
    #ranks > 0 and table.concat(ranks, ',') or '-' }, '\t'))
  local ended = {}
  for i, member in ipairs(members) do ended[2 * i - 1], ended[2 * i] = seq, member end
  write_many('ZADD', key.ended, ended)
  note_ended(seq)
end
