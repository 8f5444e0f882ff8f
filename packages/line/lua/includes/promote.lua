--- include: room, ticket, place, text
--[[
  Raises the class of a ticket that waits, by a code: it moves forward as a new one would, never back (L143).
]]
-- Whether a code of this class says anything new about a ticket.
local function may_gain(ticket, class)
  return (ticket.state == 'W' or ticket.state == 'Y') and class > ticket.class
end

-- The ticket is present.
local function promote(room, ticket, class, code, operation)
  local member = member_of(ticket.number)
  local from_rank = call('ZRANK', key.line, member)
  call('ZREM', key.line, member)
  ticket.place, ticket.class = math.min(ticket.place, choose_place(room, class, ticket.number)), class
  write_ticket(ticket)
  call('ZADD', key.line, exact(ticket.place), member)
  note_place(room, class, ticket.place)
  call('SADD', key.codes, code)
  append(room, operation, table.concat({ 'classed', ticket.number, class, code, exact(ticket.place),
    call('ZRANK', key.line, member), from_rank }, '\t'))
end
