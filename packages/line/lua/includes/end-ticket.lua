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

-- `state` is D for completed, or the letter of an end reason. `entry` replaces the usual log entry, if given.
local function end_ticket(room, ticket, state, operation, entry)
  local member = member_of(ticket.number)
  local rank = '-'
  if ticket.state == 'W' then
    rank = call('ZRANK', key.line, member)
    call('ZREM', key.line, member)
  elseif ticket.state == 'Y' then
    call('ZREM', key.away, member)
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

  ticket.state = state
  write_ticket(ticket)
  local line = entry or state == 'D' and 'completed\t' .. ticket.number
    or 'expired\t' .. ticket.number .. '\t' .. END_REASONS[state] .. '\t' .. rank
  call('ZADD', key.ended, append(room, operation, line), member)
end
