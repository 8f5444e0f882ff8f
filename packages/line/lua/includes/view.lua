--- include: room, ticket, pass, text
--[[
  A ticket as its holder may see it: words in a fixed order, '-' for null. view.ts reads it.

  number state reason away back place rank class generation joinedAt deadline fence extended waiting seq now group

  `group` is '-', or the visitor's own number and how many visitors stand together, with a comma (L151).

  `is_back`: this step brought it back from being away.
]]
local function view(room, ticket, is_back)
  local member, own = member_of(ticket.number), own_of(ticket)
  local rank, deadline, fence = '-', '-', '-'
  if ticket.state == 'W' then
    rank = call('ZRANK', key.line, member)
  elseif is_on_floor(ticket) then
    deadline = call('ZSCORE', key.floor, member)
    fence = whole(read_pass(ticket.number).fence)
  end
  return table.concat({
    ticket.number, STATES[ticket.state] or 'expired', END_REASONS[ticket.state] or '-', ticket.state == 'Y' and 1 or 0,
    is_back and 1 or 0,
    exact(ticket.place), rank, ticket.class, own.generation, ticket.joined_at, deadline, fence,
    ticket.extended and 1 or 0, call('ZCARD', key.line), room.seq, room.now,
    ticket.grouped and own.number .. ',' .. people_of(ticket) or '-',
  }, ' ')
end

-- The answer for a ticket that the room has forgotten, never drew, or that has another identity (L11, L22).
local function unknown_view(room, number)
  return table.concat({ number, '- - 0 0 0 - 0 0 0 - - 0', call('ZCARD', key.line), room.seq, room.now, '-' }, ' ')
end
