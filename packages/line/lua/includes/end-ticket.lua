--- include: room, ticket
--[[
  Ends a live ticket: takes it out of the line, the away or the floor, frees its slot and its share of a limit in the same
  step (M12), and logs it. The record stays until the log is trimmed past the end (L22).
]]
-- `state` is D for completed, or the letter of the reason why it expired.
local function end_ticket(room, ticket, state, operation)
  local member = member_of(ticket.number)
  local rank = '-'
  if ticket.state == 'W' then
    rank = call('ZRANK', key.line, member)
    call('ZREM', key.line, member)
  elseif ticket.state == 'Y' then
    call('ZREM', key.away, member)
  else
    call('ZREM', key.floor, member)
    call('HDEL', key.passes, ticket.number)
    if ticket.state == 'A' then room.unclaimed = room.unclaimed - 1 end
    if ticket.reserved then room.reserved = room.reserved - 1 end
  end

  local limit_key = call('HGET', key.limit_of, ticket.number)
  if limit_key then
    call('HDEL', key.limit_of, ticket.number)
    if call('HINCRBY', key.limits, limit_key, -1) == 0 then call('HDEL', key.limits, limit_key) end
  end
  call('HDEL', key.shown, ticket.number)

  ticket.state, ticket.reserved = state, false
  write_ticket(ticket)
  local line = state == 'D' and 'completed\t' .. ticket.number
    or 'expired\t' .. ticket.number .. '\t' .. END_REASONS[state] .. '\t' .. rank
  call('ZADD', key.ended, append(room, operation, line), member)
end
