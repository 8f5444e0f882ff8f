--- include: loading, ticket, presence, pass, takes, text
--[[
  Adds tickets to a room being loaded.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch
           then for each ticket: number, identity, class, place, generation, joined_at, state (W, Y, A, C or G),
           deadline, session_end, fence ('' off the floor), extended ('1' or '0'), reserved_seats, limit_key,
           shown ('' for none), number of the ticket that a G stands with (loaded before; '' for others)
  Returns  'OK'
  Log      nothing
  Rules    L24 a room becomes visible only as a whole; a number loaded twice counts once
           L26 `seen` stays 0, which counts as seen at the load
]]
local TICKET_ARGS = 15
local room, lost = open_loading(ARGV[1])
if lost then return lost end

-- What the tickets of this call have in common is written at its end, with one command for many: a rebuild loads millions.
local identities, line, away = {}, {}, {}
-- How many tickets of each chunk are not counted yet.
local uncounted = {}

local function count_ticket(chunk)
  if uncounted[chunk] then
    uncounted[chunk] = uncounted[chunk] + 1
  else
    count_new(chunk, 1)
    uncounted[chunk] = 0
  end
end

-- A sweep finds which away tickets admission has passed: their grace time begins anew with the load (L26).
local function load_ticket(ticket, deadline, session_end, fence, reserved_seats)
  local member = member_of(ticket.number)
  count_ticket(chunk_of(ticket.number))
  write_ticket(ticket)
  identities[#identities + 1], identities[#identities + 2] = identity_key(ticket.identity), member
  if ticket.state == 'G' then return end
  if is_on_floor(ticket) then
    put_on_floor(room, ticket, deadline, session_end, fence, reserved_seats)
  else
    local places = ticket.state == 'W' and line or away
    places[#places + 1], places[#places + 2] = exact(ticket.place), member
  end
end

local function load_member(number, with)
  local ticket = read_ticket(with)
  local members = members_of(ticket)
  members[#members + 1] = number
  call('HSET', key.groups, whole(number), whole(with), 'm' .. whole(with), table.concat(members, ','))
  ticket.grouped = true
  write_ticket(ticket)
end

-- No ticket was seen since the load: the bounds of a chunk are 0, whatever tickets it has.
local function write_common()
  write_many('HSET', key.identities, identities)
  write_many('ZADD', key.line, line)
  write_many('ZADD', key.away, away)
  for chunk, count in pairs(uncounted) do
    if count > 0 then count_new(chunk, count) end
    note_waiting(chunk * CHUNK_TICKETS, 0)
    if #away > 0 then note_away(chunk * CHUNK_TICKETS, 0) end
  end
end

for i = 2, #ARGV, TICKET_ARGS do
  local number = tonumber(ARGV[i])
  if not read_ticket(number) then
    load_ticket({
      number = number, identity = ARGV[i + 1], class = tonumber(ARGV[i + 2]), place = tonumber(ARGV[i + 3]),
      generation = tonumber(ARGV[i + 4]), joined_at = tonumber(ARGV[i + 5]), state = ARGV[i + 6],
      extended = ARGV[i + 10] == '1', seen = 0,
    }, tonumber(ARGV[i + 7]), tonumber(ARGV[i + 8]), tonumber(ARGV[i + 9]), tonumber(ARGV[i + 11]))
    local limit_key, shown = ARGV[i + 12], ARGV[i + 13]
    if ARGV[i + 14] ~= '' then load_member(number, tonumber(ARGV[i + 14])) end
    if shown ~= '' then call('HSET', key.shown, number, shown) end
    if limit_key ~= '' then
      call('HINCRBY', key.limits, limit_key, 1)
      call('HSET', key.limit_of, number, limit_key)
    end
  end
end
write_common()
room.now = room.was.now
save_room(room)
return 'OK'
