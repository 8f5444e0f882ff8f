--- include: loading, ticket, pass, takes
--[[
  Adds tickets to a room being loaded.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch
           then for each ticket: number, identity, class, place, generation, joined_at, state (W, Y, A or C),
           deadline, session_end, fence ('' off the floor), extended ('1' or '0'), reserved_seats, limit_key,
           shown ('' for none)
  Returns  'OK'
  Log      nothing
  Rules    L24 a room becomes visible only as a whole; a number loaded twice counts once
           L26 `seen` stays 0, which counts as seen at the load
]]
local TICKET_ARGS = 14
local room, lost = open_loading(ARGV[1])
if lost then return lost end

-- The grace time of an away ticket begins anew with the load.
local function load_ticket(ticket, deadline, session_end, fence, reserved_seats)
  local member = member_of(ticket.number)
  create_ticket(ticket)
  if ticket.state == 'W' then
    call('ZADD', key.line, ticket.place, member)
  elseif ticket.state == 'Y' then
    call('ZADD', key.away, room.graceSeconds * 1000, member)
  else
    put_on_floor(room, ticket, deadline, session_end, fence, reserved_seats)
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
    if shown ~= '' then call('HSET', key.shown, number, shown) end
    if limit_key ~= '' then
      call('HINCRBY', key.limits, limit_key, 1)
      call('HSET', key.limit_of, number, limit_key)
    end
  end
end
room.now = room.was.now
save_room(room)
return 'OK'
