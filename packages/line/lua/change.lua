--- include: room, bucket, settings, remember, text
--[[
  Changes settings, pause, message or sale window, and says what verifiers of the public log need.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           3 operation           repeated, it changes nothing
           4 change              JSON of the changed fields and the operator (`by`); '' when no field is given
           5 draw                '' for no change, '-' when the room has no draw any more, or the announcement for the log
           6 only_while          '', or the state in which the room must be: unstarted, unsealed or empty
           7 announcement        '', or a line for the log
  Returns  'seq' after the change, or 'seq refused'
  Log      changed, draw, codes, prices
  Rules    L33 once for each operation · M17 the bucket is refilled at the old rate first · J2 what is fixed when
           J4 the announcement · L144 what is said is logged once, and an empty room has no live ticket
]]
local operation, change, draw, only_while, announcement = ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end
local answered = remembered('change', operation)
if answered then return answered end

local function apply(state)
  set_state(state)
  local rate_or_burst = state.settings and (state.settings.ratePerMinute or state.settings.burst)
  if not rate_or_burst then return end
  refill_bucket(room)
  room.burst = state.settings.burst or room.burst
  room.level = math.min(room.level, room.burst * TOKEN)
end

local function is_past()
  if only_while == 'unstarted' then return room.hasStarted == 1 end
  if only_while == 'empty' then
    for _, tickets in ipairs({ key.line, key.away, key.passed, key.floor }) do
      if call('ZCARD', tickets) > 0 then return true end
    end
    return false
  end
  local is_sealed = room.drawProgress and room.drawProgress ~= 'announced'
  return only_while == 'unsealed' and (is_sealed or room.now >= room.opensAt)
end

local function announce()
  if draw == '-' then
    room.drawProgress, room.was.drawProgress = false, false
    call('HDEL', key.room, 'drawProgress')
    return
  end
  room.drawProgress = room.drawProgress or 'announced'
  append(room, operation, draw)
end

if is_past() then return room.seq .. ' refused' end
if change ~= '' then
  apply(cjson.decode(change))
  append(room, operation, 'changed\t' .. change)
end

if draw ~= '' then announce() end
if announcement ~= '' then append(room, operation, announcement) end
local answer = whole(room.seq)
remember('change', operation, answer, room.changes)
room.changes = room.changes + 1
save_room(room)
return answer
