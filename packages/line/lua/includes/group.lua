--- include: room, ticket, presence, end-ticket, pass, text
--[[
  Visitors who stand together: one of their tickets stands in the line, the others' records point to it (L150).
]]
local function set_members(ticket, members)
  ticket.grouped = #members > 0
  local field = 'm' .. whole(ticket.number)
  if ticket.grouped then call('HSET', key.groups, field, table.concat(members, ',')) else call('HDEL', key.groups, field) end
end

-- The numbers of all visitors who stand with a ticket, in order.
local function people_in_log(ticket, members)
  local people = { unpack(members) }
  if not is_vacant(ticket) then people[#people + 1] = ticket.number end
  table.sort(people)
  return table.concat(people, ',')
end

-- The waiting ticket that the visitor of this number stands with; nil when there is none (L153).
local function ticket_to_join(number)
  local inviter = read_ticket(number)
  if not inviter or is_vacant(inviter) then return nil end
  local ticket = ticket_behind(inviter)
  return (ticket.state == 'W' or ticket.state == 'Y') and ticket or nil
end

-- Why a visitor, who may have a ticket `own`, cannot join the group of this number; nil when they can, or have (L153).
local function group_refusal(room, number, own)
  if room.drawProgress == 'sealed' then return 'drawing' end
  local ticket = ticket_to_join(number)
  if not ticket then return 'group_over' end
  if own and own.number == ticket.number then return nil end
  if own and own.grouped then return 'in_group' end
  if own and own.state ~= 'W' and own.state ~= 'Y' then return 'group_over' end
  return people_of(ticket) >= (room.groupMax or 1) and 'group_full' or nil
end

-- Which of two waiting tickets stands further back. Before a draw the class decides first, because it will (L150).
local function later_of(room, one, other)
  if room.drawProgress == 'announced' and one.class ~= other.class then
    if one.class < other.class then return one, other end
    return other, one
  end
  if one.place > other.place or one.place == other.place and one.number > other.number then return one, other end
  return other, one
end

-- The visitors of two waiting tickets stand together as the one that is further back, which is returned for `own` (L150).
local function stand_together(room, number, own, operation)
  local ticket = ticket_to_join(number)
  if own.number == ticket.number then return own end
  see(room, ticket, operation)
  local kept, merged = later_of(room, ticket, own)
  local members, came = members_of(kept), members_of(merged)
  set_members(merged, {})
  local number_merged, rank = '-', '-'
  if not is_vacant(merged) then
    local member = member_of(merged.number)
    number_merged, rank = merged.number, call('ZRANK', key.line, member)
    call('ZREM', key.line, member)
    merged.state = 'G'
    came[#came + 1] = merged.number
  end
  write_ticket(merged)
  for _, person in ipairs(came) do
    call('HSET', key.groups, whole(person), whole(kept.number))
    members[#members + 1] = person
  end
  set_members(kept, members)
  write_ticket(kept)
  append(room, operation, table.concat(
    { 'grouped', kept.number, people_in_log(kept, members), number_merged, rank, '-' }, '\t'))
  -- A ticket without a visitor of its own has none left.
  if is_vacant(merged) then end_ticket(room, merged, 'c', operation) end
  if kept.number == own.number then return own end
  kept.holder = own
  return kept
end

-- A visitor leaves others behind, who keep the place (L152). Returns the visitor's own ticket, ended.
local function leave_group(room, ticket, operation)
  local own, members = own_of(ticket), {}
  for _, number in ipairs(members_of(ticket)) do
    if number ~= own.number then members[#members + 1] = number end
  end
  set_members(ticket, members)
  local left
  if ticket.holder then
    left = release_member(own.number, 'c')
  else
    left = { number = own.number, state = 'c', class = own.class, place = own.place, generation = own.generation,
      joined_at = own.joined_at, extended = own.extended, seen = 0 }
    call('HDEL', key.identities, identity_key(own.identity))
    release_limit(own.number)
    call('HDEL', key.shown, own.number)
    ticket.identity = '!' .. whole(ticket.number)
    call('HSET', key.identities, identity_key(ticket.identity), member_of(ticket.number))
    if is_on_floor(ticket) then
      local pass = read_pass(ticket.number)
      pass.identity = ticket.identity
      write_pass(ticket.number, pass)
    end
  end
  write_ticket(ticket)
  note_ended(append(room, operation, table.concat(
    { 'grouped', ticket.number, people_in_log(ticket, members), '-', '-', own.number }, '\t')))
  return left
end
