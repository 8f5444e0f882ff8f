--- include: loading, ticket, pass, takes, end-ticket
--[[
  Makes a loaded room visible, after correcting its tickets by what the ledger knows beyond the log it was loaded from.

  Keys     the room's, see includes/keys.lua
           25 room hash of the earlier epoch: its clock continues, if it is still there
  Args     1 epoch
           then for each correction: number, state (admitted, active or completed), fence, deadline, session_end ('-' for
           none), seats
  Returns  'OK'; also when it was done before
  Log      opened, draw when the log has not announced it yet, prices where there is a list, then corrected for each
           correction
  Rules    L18 the first entry says why the epoch began · L24 the epoch key is written last, never by an older epoch
           L26 every ticket counts as seen now, the bucket is empty · L27 the clock does not go back
           L41 corrections are logged · J4 a draw is announced before the first ticket · J10 the seal waits after a loss
           J65 the price list in force
]]
local CORRECTION_ARGS = 6
if call('GET', key.epoch) == ARGV[1] then return 'OK' end
local room, lost = open_loading(ARGV[1])
if lost then return lost end

-- Takes a ticket out of the line, the away set or the sums of the floor, before it is put on the floor.
local function leave_position(ticket)
  local member = member_of(ticket.number)
  if not is_on_floor(ticket) then
    call('ZREM', ticket.state == 'W' and key.line or key.away, member)
    return
  end
  count_in_sums(room, -1, NO_TAKES, read_pass(ticket.number))
  if ticket.state == 'A' then room.admitted = room.admitted - 1 end
end

local function correct(number, state, fence, deadline, session_end, seats)
  local ticket = read_ticket(tonumber(number))
  local entry = table.concat(
    { 'corrected', number, STATES[ticket.state], state, fence, deadline, session_end, seats }, '\t')
  if state == 'completed' then return end_ticket(room, ticket, 'D', 'load', entry) end
  leave_position(ticket)
  ticket.state = state == 'active' and 'C' or 'A'
  write_ticket(ticket)
  put_on_floor(room, ticket, tonumber(deadline), tonumber(session_end), tonumber(fence), tonumber(seats))
  append(room, 'load', entry)
end

room.now = math.max(room.now, tonumber(call('HGET', KEYS[25], 'now') or 0))
room.loadedAt, room.refilledAt = room.now, room.now
room.attendedAt, room.attendedSince = room.now, room.now
-- Until now it was how long the seal waits after a load, if the sale has opened before.
if room.sealFrom then room.sealFrom = room.opensAt <= room.now and room.now + room.sealFrom or 0 end
append(room, 'load', table.concat({ 'opened', call('HGET', key.room, 'reason'), room.nextNumber,
  call('ZCARD', key.line), call('ZCARD', key.floor), call('HGET', key.room, 'rules') }, '\t'))
call('HDEL', key.room, 'rules')
local draw_line = call('HGET', key.room, 'drawLine')
if draw_line and draw_line ~= '' then append(room, 'load', draw_line) end
local prices_line = call('HGET', key.room, 'pricesLine')
if prices_line then
  append(room, 'load', prices_line)
  call('HDEL', key.room, 'pricesLine')
end
for i = 2, #ARGV, CORRECTION_ARGS do correct(unpack(ARGV, i, i + CORRECTION_ARGS - 1)) end
save_room(room)
call('SET', key.epoch, ARGV[1])
return 'OK'
