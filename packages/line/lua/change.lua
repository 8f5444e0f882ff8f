--- include: room, ticket, settle, pass, bucket, settings, remember
--[[
  Changes settings, pause, message, sale window or stock, and notes who took or lost a reservation.

  Keys   those of the room, see includes/keys.lua
  Args   1 epoch, 2 seen_seq   what the caller knows of the room
         3 operation           the same again changes nothing
         4 change              JSON of what changes and by whom; '' when only reservations do
         then for each reservation: number, its deadline ('' when it was lost)
  Reply  seq after the change
  Holds  L33 once for each operation · M14 whose deadline counts · M17 the bucket is settled at the old rate
]]
local operation, change = ARGV[3], ARGV[4]
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end
local answered = remembered('change', operation)
if answered then return tonumber(answered) end

local function apply(state)
  set_state(state)
  local rate_or_burst = state.settings and (state.settings.ratePerMinute or state.settings.burst)
  if not rate_or_burst then return end
  settle_bucket(room)
  room.burst = state.settings.burst or room.burst
  room.level = math.min(room.level, room.burst * TOKEN)
end

local function set_reservation(ticket, until_ms)
  local member, is_reserved = member_of(ticket.number), until_ms ~= nil
  local is_same = is_reserved == ticket.reserved
    and (not is_reserved or tonumber(call('ZSCORE', key.floor, member)) == until_ms)
  if is_same then return end
  if is_reserved ~= ticket.reserved then room.reserved = room.reserved + (is_reserved and 1 or -1) end
  ticket.reserved = is_reserved
  write_ticket(ticket)
  call('ZADD', key.floor, until_ms or read_pass(ticket.number).session_deadline, member)
  append(room, operation, 'reserved\t' .. ticket.number .. '\t' .. (until_ms or '-'))
end

if change ~= '' then
  apply(cjson.decode(change))
  append(room, operation, 'changed\t' .. change)
end
for i = 5, #ARGV, 2 do
  local ticket = read_ticket(tonumber(ARGV[i]))
  if ticket then settle(room, ticket, operation) end
  if ticket and is_on_floor(ticket) then set_reservation(ticket, tonumber(ARGV[i + 1])) end
end

remember('change', operation, room.seq, room.changes)
room.changes = room.changes + 1
save_room(room)
return room.seq
