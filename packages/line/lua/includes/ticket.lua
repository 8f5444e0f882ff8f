--- include: keys, text
--[[
  Ticket records: fixed length, 256 to a string, found by arithmetic. 39 bytes each, where a hash would take 100.

  state       W waiting, Y away, A admitted, C active, D completed; or why it expired: n t c x s e; G: its visitor stands with
              the ticket of a group
  class       in the lowest two bits; then a bit for extended, and one for the ticket of a group
  generation  counts from 1, raised by every move
  seen        last seen, in units of 100 ms since the load, from 1; 0 = not since the load
  joined_at   ms
  place       the score that orders the line
  identity    at most 16 characters, filled up with zero bytes; '!' and the number when its visitor left the group
]]
local RECORD, RECORD_BYTES, SEEN_OFFSET, PLACE_OFFSET, CHUNK_TICKETS = '>c1BI3I4I6dc16', 39, 5, 15, 256
local WAITING = string.byte('W')
local IDENTITY_FILL = string.rep('\0', 16)

local END_REASONS = {
  n = 'no_show', t = 'timeout', c = 'cancelled', x = 'terminated', s = 'sold_out', e = 'sale_ended',
}
local STATES = { W = 'waiting', Y = 'waiting', G = 'waiting', A = 'admitted', C = 'active', D = 'completed' }

local function chunk_of(number)
  return math.floor(number / CHUNK_TICKETS)
end

local function offset_of(number)
  return (number % CHUNK_TICKETS) * RECORD_BYTES
end

local chunk_keys = {}

local function chunk_key(chunk)
  local known = chunk_keys[chunk]
  if known then return known end
  chunk_keys[chunk] = key.tickets .. ':' .. whole(chunk)
  return chunk_keys[chunk]
end

-- These bytes of a ticket's record. Offsets are passed as text, because Lua formats numbers as fractions, which is slow.
local function read_bytes(number, from, to)
  local offset = offset_of(number)
  return call('GETRANGE', chunk_key(chunk_of(number)), whole(offset + from), whole(offset + to))
end

-- A number in sorted sets and hashes: four bytes, big-endian, so that tickets with the same place sort by number (L3).
local function member_of(number)
  return struct.pack('>I4', number)
end

local function number_of(member)
  return (struct.unpack('>I4', member))
end

local function is_live(ticket)
  return ticket.state == 'W' or ticket.state == 'Y' or ticket.state == 'A' or ticket.state == 'C' or ticket.state == 'G'
end

local function is_on_floor(ticket)
  return ticket.state == 'A' or ticket.state == 'C'
end

-- Nil when the room does not know this number, or has forgotten it.
local function read_ticket(number)
  local bytes = read_bytes(number, 0, RECORD_BYTES - 1)
  if #bytes < RECORD_BYTES or string.byte(bytes) == 0 then return nil end
  local state, bits, generation, seen, joined_at, place, identity = struct.unpack(RECORD, bytes)
  return {
    number = number, state = state, class = bits % 4, extended = bits % 8 >= 4, grouped = bits >= 8,
    generation = generation, seen = seen, joined_at = joined_at, place = place, identity = string.match(identity, '^%Z+'),
  }
end

local function write_ticket(ticket)
  local bits = ticket.class + (ticket.extended and 4 or 0) + (ticket.grouped and 8 or 0)
  local record = struct.pack(RECORD, ticket.state, bits, ticket.generation, ticket.seen, ticket.joined_at, ticket.place,
    ticket.identity .. IDENTITY_FILL)
  call('SETRANGE', chunk_key(chunk_of(ticket.number)), whole(offset_of(ticket.number)), record)
end

-- The record of a ticket that was just drawn. Only the first 16 bytes of `identity` are read.
local function pack_new_ticket(class, seen, joined_at, place, identity)
  if #identity < 16 then identity = identity .. IDENTITY_FILL end
  return struct.pack(RECORD, 'W', class, 1, seen, joined_at, place, identity)
end

-- The generation in a record that begins after these bytes, if its ticket is of class 0 and no group's, waits and is present;
-- otherwise 0.
local function present_generation(bytes, offset)
  local state, bits, high, middle, low = string.byte(bytes, offset + 1, offset + 5)
  return state == WAITING and bits % 4 == 0 and bits < 8 and high * 65536 + middle * 256 + low or 0
end

-- The place in a record that begins after these bytes.
local function place_in(bytes, offset)
  return (struct.unpack('>d', bytes, offset + PLACE_OFFSET + 1))
end

-- Writes only the place of a ticket.
local function write_place(number, place)
  call('SETRANGE', chunk_key(chunk_of(number)), whole(offset_of(number) + PLACE_OFFSET), struct.pack('>d', place))
end

-- The first byte of a record; '' or a zero byte when the room does not know this number.
local function state_of(number)
  local offset = offset_of(number)
  return call('GETRANGE', chunk_key(chunk_of(number)), offset, offset)
end

local function pack_seen(seen)
  return struct.pack('>I4', seen)
end

local function write_packed_seen(number, seen)
  call('SETRANGE', chunk_key(chunk_of(number)), offset_of(number) + SEEN_OFFSET, seen)
end

local function write_seen(ticket)
  write_packed_seen(ticket.number, pack_seen(ticket.seen))
end

-- Counts new tickets of a chunk. A new chunk is allocated in full: growing it step by step would take twice the memory.
local function count_new(chunk, count)
  if call('HINCRBY', key.chunks, chunk, count) == count then
    call('SETRANGE', chunk_key(chunk), CHUNK_TICKETS * RECORD_BYTES - 1, '\0')
  end
end

-- Identities are hashes. Their last 14 characters (84 bits) distinguish them as well as all 16 do, and fit the allocator's
-- next smaller size class: 16 bytes less for each visitor. The record stores the whole identity.
local function identity_key(identity)
  return string.sub(identity, -14)
end

-- Writes one ticket that the room did not know before.
local function create_ticket(ticket)
  count_new(chunk_of(ticket.number), 1)
  write_ticket(ticket)
  call('HSET', key.identities, identity_key(ticket.identity), member_of(ticket.number))
end

-- Where a visitor stands: with their own ticket, or with that of their group, which then has their own as its `holder` (L151).
local function ticket_behind(own)
  if own.state ~= 'G' then return own end
  local ticket = read_ticket(tonumber(call('HGET', key.groups, whole(own.number))))
  ticket.holder = own
  return ticket
end

-- The ticket that the visitor of this number and identity stands with.
local function ticket_of(number, identity)
  local own = read_ticket(number)
  if own and own.identity == identity then return ticket_behind(own) end
  return nil
end

-- The record that has the identity and the generation of the visitor who asked.
local function own_of(ticket)
  return ticket.holder or ticket
end

-- The numbers of the visitors who stand with a ticket beside its own.
local function members_of(ticket)
  local members = {}
  if not ticket.grouped then return members end
  for number in string.gmatch(call('HGET', key.groups, 'm' .. whole(ticket.number)), '%d+') do
    members[#members + 1] = tonumber(number)
  end
  return members
end

-- The ticket's own visitor has left the group.
local function is_vacant(ticket)
  return string.sub(ticket.identity, 1, 1) == '!'
end

-- How many visitors stand with a ticket.
local function people_of(ticket)
  return #members_of(ticket) + (is_vacant(ticket) and 0 or 1)
end

-- Whether an identity is a visitor who stands with the ticket of this number.
local function stands_with(number, identity)
  local member = call('HGET', key.identities, identity_key(identity))
  local ticket = member and ticket_of(number_of(member), identity)
  return ticket and ticket.number == number or false
end

-- The latest ticket of an identity, if the room still knows it.
local function ticket_of_identity(identity)
  local member = call('HGET', key.identities, identity_key(identity))
  return member and ticket_of(number_of(member), identity) or nil
end
